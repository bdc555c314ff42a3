// Opens report pages in a headless browser and says what is wrong with them:
//
//   CHROMIUM=/usr/bin/chromium node check.mjs PAGE.html...
//
// A page without a script, which compares drivers, must be whole without one.
// With SCREENSHOTS=DIR it also leaves pictures of each page: desktop, dark, phone and print.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const mostMilliseconds = 1000;
const problems = [];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  for (const file of process.argv.slice(2)) {
    const check = new Page(file);
    await check.run();
  }
} finally {
  await browser.close();
}
if (process.argv.length < 3) problems.push("no page was given: want one file or more");
for (const problem of problems) console.error(problem);
process.exitCode = problems.length ? 1 : 0;

function Page(file) {
  const name = basename(file, ".html");
  const url = pathToFileURL(resolve(file)).href;
  const scripted = /<script\b/.test(readFileSync(file, "utf8"));
  const wrong = (text) => problems.push(`${name}: ${text}`);
  const expect = (holds, text) => holds || wrong(text);

  // A page is opened anew for each check, which shares nothing with the others.
  async function opened(options, look) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong(`the console says: ${message.text()}`));
    page.on("pageerror", (error) => wrong(`the script ended: ${error.message}`));
    page.on("request", (request) => !request.url().startsWith("data:") && request.url().split("#")[0] !== url && wrong(`asks for ${request.url()}`));
    await page.goto(url);
    if (scripted) await page.waitForSelector("body[data-ready]");
    await look(page);
    await context.close();
  }

  const picture = (page, kind) => process.env.SCREENSHOTS && page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}-${kind}.png`) });
  const shown = (page, kind) => page.locator(`.row[id^="${kind}-"]:visible`).count();

  // The first case with pods, or else with calls, or else the first.
  async function openOne(page) {
    await page.evaluate(async () => {
      for (const row of document.querySelectorAll('.row[id^="case-"]')) {
        row.open = true;
        await new Promise((done) => setTimeout(done, 0));
        if (row.querySelector(".timeline") || row.querySelector(".sequence .call")) return;
        row.open = false;
      }
    });
  }

  // Rows are alike, and axe looks at each for long: a few of each area are enough.
  async function violations(page, kind) {
    await page.evaluate(() => document.querySelectorAll(".row:nth-of-type(n+4):not([open])").forEach((row) => row.remove()));
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
    for (const v of found.violations) wrong(`${kind}: axe ${v.id}, ${v.help}: ${v.nodes.slice(0, 3).map((node) => node.html.slice(0, 150)).join(" | ")}`);
  }

  // The time that the page's thread was busy until everything was there: others may use the machine meanwhile.
  async function speed() {
    const context = await browser.newContext();
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(url);
    if (scripted) await page.waitForSelector("body[data-ready]");
    const { metrics } = await session.send("Performance.getMetrics");
    const took = Math.round(1000 * metrics.find((metric) => metric.name === "TaskDuration").value);
    expect(took < mostMilliseconds, `took ${took} ms to open, want less than ${mostMilliseconds}`);
    console.log(`${name}: ${took} ms to open`);
    await context.close();
  }

  async function filters(page) {
    const all = await shown(page, "case");
    for (const button of await page.locator("#cases-body fieldset button").all()) {
      const [verdict, count] = (await button.textContent()).split(" ");
      await button.click();
      expect(await shown(page, "case") === Number(count), `the filter ${verdict} shows ${await shown(page, "case")} cases, want ${count}`);
      await button.click();
    }
    for (const label of ["area", "requirement", "grades"]) {
      const select = page.locator("#cases-body").getByLabel(label, { exact: true });
      const option = select.locator("option").nth(1);
      if (!(await option.count())) continue;
      const count = Number((await option.textContent()).match(/\((\d+)\)$/)[1]);
      await select.selectOption({ index: 1 });
      expect(await shown(page, "case") === count, `the filter ${label} shows ${await shown(page, "case")} cases, want ${count}`);
      await select.selectOption({ index: 0 });
    }
    expect(await shown(page, "case") === all, `${await shown(page, "case")} cases are shown without a filter, want ${all}`);
    const register = page.locator("#requirements-body");
    await register.getByLabel("search").fill("TR-07");
    expect(await shown(page, "requirement") >= 1 && await shown(page, "requirement") < 10, "the search for TR-07 does not narrow the requirements");
    await register.getByRole("button", { name: "Show all" }).click();
  }

  // What is chosen is in the address, which shows the same to whoever opens it.
  async function address(page) {
    const button = page.locator("#cases-body fieldset button").first();
    await button.click();
    const [left, hash] = [await shown(page, "case"), new URL(page.url()).hash];
    expect(hash.startsWith("#cases?verdict="), `the address has ${hash} once a verdict is chosen`);
    await button.click();
    await page.evaluate((chosen) => { location.hash = chosen; }, hash);
    await page.waitForFunction((n) => document.querySelectorAll('.row[id^="case-"]:not([hidden])').length === n, left).catch(() => wrong(`the address ${hash} does not show the same`));
  }

  async function keyboard(page) {
    const id = (await page.locator('.row[id^="case-"]').first().getAttribute("id")).slice("case-".length);
    await page.keyboard.press("/");
    await page.keyboard.type(id);
    const focused = () => page.evaluate(() => document.activeElement.closest(".row")?.id ?? document.activeElement.tagName);
    expect(await shown(page, "case") >= 1, `the search for ${id} shows nothing`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    expect(await focused() === `case-${id}`, `j moves to ${await focused()}, want case-${id}`);
    await page.keyboard.press("Enter");
    // What is inside comes after the row is open, when the browser tells the page so.
    const opened = page.locator(`[id="case-${id}"][open] .body`).first();
    expect(await opened.waitFor().then(() => true, () => false), "Enter does not open the case");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    expect(await focused() === `case-${id}`, `j and k end at ${await focused()}, want case-${id}`);
  }

  async function links(page) {
    const link = page.locator(".finding .case-link").first();
    if (!(await link.count())) return;
    const id = await link.textContent();
    await page.evaluate(() => document.querySelectorAll(".finding, .warnings").forEach((found) => { found.open = true; }));
    await page.locator("#cases-body").getByLabel("search").fill("nothing that any case has");
    await link.click();
    expect(await page.locator(`[id="case-${id}"]`).evaluate((row) => row.open && !row.hidden), `the link to ${id} does not open the case`);
  }

  // The line that runs a finding again is copied as it is shown, and the link leads to the case.
  async function copies(page) {
    const found = page.locator(".finding").first();
    if (!(await found.count())) return;
    await found.evaluate((finding) => { finding.closest(".warnings")?.setAttribute("open", ""); finding.open = true; });
    for (const [label, want] of [["copy", await found.locator(".again code").first().textContent()], ["copy link", await found.locator(".case-link").first().evaluate((link) => link.href)]]) {
      await found.getByRole("button", { name: label, exact: true }).first().click();
      await found.getByRole("button", { name: "copied" }).first().waitFor().catch(() => wrong(`${label} does not say that it has copied`));
      const got = await page.evaluate(() => navigator.clipboard.readText());
      expect(got === want, `${label} copies ${got}, want ${want}`);
    }
  }

  // What the script could not show reads so.
  async function words(page) {
    const text = await page.evaluate(() => document.body.innerText);
    for (const slip of ["[object", "undefined", "NaN"]) expect(!text.includes(slip), `shows ${slip}: …${text.slice(Math.max(0, text.indexOf(slip) - 80), text.indexOf(slip) + 80)}…`);
  }

  async function narrow(page, kind) {
    const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth);
    expect(wide <= 0, `is ${wide} pixels wider than the ${kind}`);
  }

  async function print(page) {
    await page.emulateMedia({ media: "print" });
    expect(!(await page.locator("nav").isVisible()), "prints the navigation");
    expect(!(await page.locator(".filters").first().isVisible()), "prints the filters");
    if (process.env.SCREENSHOTS) await page.pdf({ path: join(process.env.SCREENSHOTS, `${name}.pdf`), format: "A4", preferCSSPageSize: true });
  }

  // Every link leads to one place on the page, or to a file beside it.
  async function leads(page) {
    const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((found) => found.id));
    expect(new Set(ids).size === ids.length, "has an id twice");
    const targets = new Set(await page.evaluate(() => [...document.links].map((link) => link.href)));
    for (const target of targets) {
      const [file, id] = target.split("#");
      if (file === url) expect(ids.includes(decodeURIComponent(id)), `links to #${id}, which is not there`);
      else if (file.startsWith("file:")) expect(existsSync(fileURLToPath(file)), `links to ${file}, which is not there`);
    }
    expect(targets.size > 1, "has no links");
  }

  // What is printed of the tables is not cut off at the edge of the paper, A4 landscape.
  async function printed(page) {
    await page.emulateMedia({ media: "print" });
    await picture(page, "print");
    const wide = await page.evaluate(() => Math.max(...[...document.querySelectorAll("table")].map((table) => table.getBoundingClientRect().right)) - innerWidth);
    expect(wide <= 0, `prints a table that is ${Math.ceil(wide)} pixels wider than the paper`);
  }

  async function withoutScript() {
    await opened({ javaScriptEnabled: false }, (page) => picture(page, "desktop"));
    await opened({}, leads);
    await opened({}, print);
    await opened({ viewport: { width: 1047, height: 718 } }, printed);
    for (const [kind, options] of Object.entries({
      light: { colorScheme: "light" }, dark: { colorScheme: "dark" }, tablet: { viewport: { width: 820, height: 1180 } }, phone: { viewport: { width: 390, height: 844 } },
    })) {
      await opened({ ...options, bypassCSP: true }, async (page) => {
        await picture(page, kind);
        for (const part of ["#areas", ".driver"]) {
          await page.locator(part).first().evaluate((found) => found.scrollIntoView());
          await picture(page, `${kind}-${part.slice(1)}`);
        }
        await words(page);
        await narrow(page, kind);
        await violations(page, kind);
      });
    }
  }

  this.run = async () => {
    await speed();
    if (!scripted) return withoutScript();
    await opened({}, async (page) => {
      await picture(page, "desktop");
      await filters(page);
      await links(page);
      await address(page);
    });
    await opened({ permissions: ["clipboard-read", "clipboard-write"] }, copies);
    await opened({}, keyboard);
    await opened({}, print);
    for (const colorScheme of ["light", "dark"]) {
      await opened({ colorScheme, bypassCSP: true }, async (page) => {
        await openOne(page);
        await page.locator(".row[open]").first().scrollIntoViewIfNeeded().catch(() => {});
        await picture(page, `case-${colorScheme}`);
        await words(page);
        await violations(page, colorScheme);
      });
    }
    await opened({ viewport: { width: 390, height: 844 }, bypassCSP: true }, async (page) => {
      await picture(page, "phone");
      await openOne(page);
      await narrow(page, "phone");
      await violations(page, "phone");
    });
  };
}

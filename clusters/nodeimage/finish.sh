#!/bin/bash
# SPDX-License-Identifier: Apache-2.0

# Runs inside the root of a new node image: what kind's base image does after its
# packages are installed and its files copied.
set -o errexit -o nounset -o pipefail

# A node starts what kind starts and nothing of Debian's own.
find /lib/systemd/system/sysinit.target.wants/ -name systemd-tmpfiles-setup.service -delete
find /lib/systemd/system/multi-user.target.wants /lib/systemd/system/local-fs.target.wants \
	/etc/systemd/system/*.wants -mindepth 1 -delete 2>/dev/null || true
find /lib/systemd/system/sockets.target.wants \( -name '*udev*' -o -name '*initctl*' \) -delete 2>/dev/null || true
find /lib/systemd/system/basic.target.wants -mindepth 1 -delete 2>/dev/null || true
echo "ReadKMsg=no" >>/etc/systemd/journald.conf
ln -sf /lib/systemd/systemd /sbin/init
rm -f /etc/machine-id

mkdir -p /etc/kubernetes/manifests
ctr oci spec |
	jq '.hooks.createContainer += [{"path": "/kind/bin/mount-product-files.sh"}] | del(.process.rlimits)' \
		>/etc/containerd/cri-base.json

systemctl enable kubelet.service containerd.service undo-mount-hacks.service
systemctl mask systemd-binfmt.service

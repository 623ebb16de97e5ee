#!/usr/bin/env bash
# Packs dist/inklings-desktop, which build_bundle.sh makes, as a package for Debian and Ubuntu.
# It runs on the system that it was built on and on newer ones.
set -euo pipefail
cd "$(dirname "$0")/.."

bundle=dist/inklings-desktop
[ -x "$bundle/inklings" ] || packaging/build_bundle.sh
version=$("$bundle/inklings" --version | sed 's/.* //')
architecture=$(dpkg --print-architecture)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
umask 022
chmod 755 "$root"

mkdir -p "$root"/DEBIAN "$root"/usr/{bin,lib,share/doc/inklings-desktop}
cp -r "$bundle" "$root/usr/lib/"
cp -r resources/share "$root/usr/"
for program in inklings-desktop inklings inklings-agent; do
  ln -s "../lib/inklings-desktop/$program" "$root/usr/bin/$program"
done
chmod -R u=rwX,go=rX "$root/usr"
find "$root/usr/lib" -name '*.so*' -exec chmod 644 {} +

document="$root/usr/share/doc/inklings-desktop"
{
  echo "Inklings Desktop is Apache-2.0, see /usr/share/common-licenses/Apache-2.0."
  echo
  cat build/THIRD-PARTY-NOTICES.txt
} >"$document/copyright"
gzip -9nc CHANGELOG.md >"$document/CHANGELOG.md.gz"

# What the libraries inside need from the system: those of the package list, and this C library.
depends="libc6 (>= $(getconf GNU_LIBC_VERSION | cut -d' ' -f2))"
for part in offscreen window; do
  depends+=$(sed -n "/^# \[$part\]/,/^# \[/{/^[^#]/s/^/, /p}" packaging/debian-packages.txt | tr -d '\n')
done
cat >"$root/DEBIAN/control" <<CONTROL
Package: inklings-desktop
Version: $version
Architecture: $architecture
Maintainer: The Inklings Desktop developers <inklings-desktop@users.noreply.github.com>
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: $depends
Recommends: libwayland-cursor0
Suggests: hunspell-dictionary
Section: editors
Priority: optional
Homepage: $(sed -n 's/^Source = "\(.*\)"/\1/p' pyproject.toml)
Description: memory of a world-building agent, seen and kept by its author
 An agent that helps you build a world remembers what you tell it and what it
 concludes. Inklings Desktop keeps that memory on your own machine, shows all
 of it, and lets you search it, correct it and let it go. Nothing leaves the
 machine.
CONTROL

package="dist/inklings-desktop_${version}_$architecture.deb"
dpkg-deb --root-owner-group -Zxz --build "$root" "$package"
for program in inklings-desktop inklings inklings-agent; do
  dpkg-deb --contents "$package" | grep -q " ./usr/bin/$program -> "
done
du -sh "$package"

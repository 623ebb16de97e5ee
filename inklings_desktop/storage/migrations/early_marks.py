"""How files of versions before the first release are told: by their tables, not by their number."""

from inklings_desktop.storage.schema.marks import FileKind

EARLY = {
    FileKind.ACCOUNT: {
        "af6bd38ef3460ec9b54c52c71bfc7d014d1f5fe03bf433477c0752abf00eb7c3": "the first window",
        "959681825a6646fbc1f1edcfb0396c24e7fcbe964db896612058fbfc7e681462": "23 November 2026",
        "ff6fa40278cf036cab93ab7c7254213bf46faf9de80cdbcab0fa76e3257425d1": "23 November 2026",
        "29d0720d961c07916c78db4d920959aa651c3d0270c2806708eba204b884bcd1": "24 November 2026",
        "813d76072a92f03ae5f273ff5043fa7a6be89ca86c630c8f51a5ec3e9d4c6981": "26 November 2026",
    },
    FileKind.WORKSPACE: {
        "3af3e4cccf1f1fda9a955e4219be45af80dc88002e70b15add6b77ea49f42af1": "the first window",
        "9414b8a6ee712997e47a860995094ba7192cf912f41e3064ec63bfba1e5afdd0": "23 November 2026",
        "033ea0d34ecefba194297daa909e717647c4eeaedd7e097b58c310df59201741": "23 November 2026",
        "f94d8ab2faba51328f558ee0bb641b7c2435a69698e8cfa3c9299d28fda50fe4": "24 November 2026",
        "85e77d42d4de04390bf2c14fc3fe7822fdfe97c416b9f4064bef8f84ab088d12": "26 November 2026",
    },
}
"""Fingerprint of each kind of file, and which version wrote it."""

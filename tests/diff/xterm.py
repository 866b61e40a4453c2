#!/usr/bin/python3
"""Holds `rte screen` against a real xterm (379), stream by stream.

    xvfb-run -a tests/diff/xterm.py build/rte [FIRST_SEED [COUNT]]

Each stream of grammar.py is fed to both; xterm's screen comes back through its printer (media copy),
its cursor as an answer. A stream that comes out differently is fed again piece by piece, since xterm
leaves out repairs while a scroll is pending, then made as short as it still differs, and shown.
Exit status: 0 all alike, 1 differences, 77 xterm cannot run here.
"""
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import tty
import unicodedata

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from grammar import COLS, ROWS, stream  # noqa: E402

RESET = (b'\x18\x1b\\\x1b<\x1b[?41l\x1b[?42l\x1b[64;1"p\x1bc\x1b[?40l\x1b[?1047h\x1b[m\x1b[2J\x1b[H\x1b7'
         b'\x1b[?1047l\x1bc')


def helper(commands, answers):
    """Runs inside of xterm: each command line is JSON, bytes to write and what to wait for."""
    tty.setraw(0)
    with open(commands) as ask, open(answers, 'w') as reply:
        for line in ask:
            order = json.loads(line)
            data = order['write'].encode('latin-1')
            while data:
                data = data[os.write(1, data):]
            got = b''
            while order['until'] and not re.search(order['until'].encode('latin-1'), got):
                if not select.select([0], [], [], 5)[0]:
                    break
                got += os.read(0, 4096)
            reply.write(json.dumps(got.decode('latin-1')) + '\n')
            reply.flush()


class Xterm:
    def __init__(self):
        self.dir = tempfile.mkdtemp(prefix='rte-xterm.')
        self.printed = self.dir + '/printed'
        fifos = [self.dir + '/commands', self.dir + '/answers']
        for f in fifos:
            os.mkfifo(f)
        resources = ['printerCommand: cat > ' + self.printed, 'printAttributes: 1', 'printerExtent: true']
        self.process = subprocess.Popen(
            ['xterm', '-geometry', '%dx%d' % (COLS, ROWS)] + [x for r in resources for x in ('-xrm', '*' + r)] +
            ['-e', sys.executable, os.path.abspath(__file__), '--helper'] + fifos,
            env=dict(os.environ, LC_ALL='C.UTF-8'), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.ask = open(fifos[0], 'w')
        self.reply = open(fifos[1])

    def write(self, data, until=None):
        self.ask.write(json.dumps({'write': data.decode('latin-1'), 'until': until}) + '\n')
        self.ask.flush()
        return json.loads(self.reply.readline()).encode('latin-1')

    def sync(self, data):
        self.write(data + b'\x18\x1b[5n', r'\x1b\[0n')

    def show(self, pieces, slowly):
        self.sync(RESET)
        for p in pieces if slowly else [b''.join(pieces)]:
            self.write(p)
            time.sleep(0.004 if slowly else 0)
        self.sync(b'')
        cursor = re.search(rb'\x1b\[(\d+);(\d+)R', self.write(b'\x1b[6n', r'\x1b\[\d+;\d+R'))
        if os.path.exists(self.printed):
            os.unlink(self.printed)
        self.sync(b'\x1b[?19h\x1b[i')
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            if os.path.exists(self.printed):
                with open(self.printed, 'rb') as f:
                    data = f.read()
                if data.count(b'\n') >= ROWS:
                    return parse_print(data) + ([int(cursor[1]), int(cursor[2])],)
            time.sleep(0.002)
        raise TimeoutError('xterm printed nothing')

    def close(self):
        self.process.kill()
        self.process.wait()
        self.ask.close()
        self.reply.close()
        shutil.rmtree(self.dir)


def normal(row):
    return unicodedata.normalize('NFC', row).rstrip(' \0')


def letter(sgr):
    return '.buBrRxX'[('1' in sgr) + 2 * ('4' in sgr or '21' in sgr) + 4 * ('7' in sgr)]


def parse_print(data):
    """Rows and attributes: xterm writes SGR in front of each cell that has any."""
    rows, attrs = [], []
    for line in data.split(b'\r\n')[:ROWS]:
        row = looks = ''
        sgr = []
        for part in re.findall(r'\x1b#\d|\x1b\[[\d;-]*m|.', line.decode('utf-8', 'replace'), re.S):
            if part[0] == '\x1b':
                sgr = part[2:-1].split(';') if part[1] == '[' else []
                continue
            if part != '\uffff':  # the right half of a wide character
                row += ' ' if part == '\0' else part
            if not unicodedata.combining(part) and unicodedata.category(part) != 'Me':
                looks += letter(sgr)
            sgr = []
        rows.append(normal(row))
        attrs.append(looks)
    return rows, attrs


def ours(rte, pieces):
    # The same cursor report that xterm gives counts from the margins in origin mode; so does CPR.
    out = subprocess.run([rte, 'screen', '--json', '--term', 'xterm', '--size', '%dx%d' % (COLS, ROWS)],
                         input=b''.join(pieces) + b'\x18', stdout=subprocess.PIPE, check=True).stdout
    o = json.loads(out)
    return [normal(r) for r in o['text']], o['attrs'], o['cursor'], o['modes']['origin']


def alike(theirs, mine):
    if theirs[0] != mine[0] or (theirs[2] != mine[2] and not mine[3]):
        return False
    for row, a, b in zip(theirs[0], theirs[1], mine[1]):
        if any(unicodedata.east_asian_width(c) == 'W' or unicodedata.combining(c) for c in row):
            continue  # columns are no characters there
        # Blanks that were never drawn are not printed with their looks.
        if any(c != ' ' and x != y for c, x, y in zip(row, a, b)):
            return False
    return True


def differs(xterm, rte, pieces):
    mine = ours(rte, pieces)
    for slowly in (False, True):
        theirs = xterm.show(pieces, slowly)
        if alike(theirs, mine):
            return None
    return theirs, mine


def shorten(xterm, rte, pieces):
    i = 0
    while i < len(pieces) and len(pieces) > 1:
        less = pieces[:i] + pieces[i + 1:]
        if differs(xterm, rte, less):
            pieces, i = less, 0
        else:
            i += 1
    return pieces


def main(rte, first=1, count=200):
    if not shutil.which('xterm') or not os.environ.get('DISPLAY'):
        print('no xterm, or no display for it')
        return 77
    xterm, bad = Xterm(), 0
    for seed in range(int(first), int(first) + int(count)):
        pieces = stream(seed)
        if not differs(xterm, rte, pieces):
            continue
        pieces = shorten(xterm, rte, pieces)
        found = differs(xterm, rte, pieces)
        if not found:
            continue
        bad += 1
        print('seed %d: %r' % (seed, b''.join(pieces)))
        for name, (rows, attrs, cursor, *_) in zip(('xterm', 'rte'), found):
            print('  %-5s cursor %s' % (name, cursor), *('|%s|%s' % ra for ra in zip(rows, attrs)), sep='\n    ')
        sys.stdout.flush()
    xterm.close()
    print('%s streams, %d differ' % (count, bad))
    return bad > 0


if __name__ == '__main__':
    if sys.argv[1:2] == ['--helper']:
        helper(*sys.argv[2:])
    else:
        sys.exit(main(*sys.argv[1:]))

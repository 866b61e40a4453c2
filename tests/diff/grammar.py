"""Random terminal streams: pieces of the sequences of ECMA-48, DEC and xterm.

stream(seed) gives a list of pieces, the same for the same seed. Left out is what is known to differ
from xterm, each with its reason in doc/virtual-screen.md: `_` of the line drawing set, lines of
double width, wide characters with what moves them in part or without autowrap, kinds and colours of
underlines. XTSAVE is, too: what it saves outlives a reset, and so would change the next stream.
"""
import random

ROWS, COLS = 6, 20
WIDE = '中文가😀Ａ'
MARKS = '\u0301\u0300\u0323\u20dd'
SGR = ['', '0', '1', '2', '3', '4', '5', '7', '8', '9', '21', '22', '23', '24', '25', '27', '28', '29',
       '31', '39', '44', '49', '91', '104', '38;5;123', '48;5;9', '38;2;1;2;3', '38:5:9', '48:2::1:2:3',
       '1;4;7', '0;1', '53']
SETS = ['\x1b(0', '\x1b(B', '\x1b)0', '\x0e', '\x0f', '\x1b*0', '\x1bn', '\x1bo', '\x1b)B', '\x1b+>', '\x1b(A']
STRINGS = ['\x1b]0;t\x07', '\x1b]2;abc\x1b\\', '\x1bPzz\x1b\\', '\x1b_q\x1b\\', '\x1b^q\x1b\\', '\x1bXq\x1b\\',
           '\x1b]P1234567 ']
BROKEN = ['\x1b[1;2', '\x1b[?', '\x18', '\x1a', '\x1b', '\x1b[<1m', '\x1b[=1h', '\x1b[>1u', '\x1b[ 1m', '\x1b[%m',
          '\x1b[1:2H', '\x1b(', '\x1b%G', '\x1b[38m', '\x1b[;;;m', '\x07', '\x00', '\x7f', '\x1b[999999999C', '\x1b k']
BAD_UTF8 = [b'\xff', b'\xc3(', b'\xe4\xb8X', b'\xed\xa0\x80', b'\x9b1;1H', b'\xc2\x9bA', b'\xf0\x9f\x98', b'\x80\x81']

ODD_SGR = ['38:2:1:2:3', '48:5:7', '38;2;1', '38;5', '38;5;', '48;2;;;', '58:5:1', '38:2:1:2:3;7', '0;38;5;7;1',
           '7;38:5:300', '1;38;9;4', '38;2;1;2;3;4', '38;5;1;4;7', '100', '107', '108', '26', '73', '21;24', '1:2', '7;;1']
ODD_SCROLL = ['\x1b[1;2;3;4;5T', '\x1b[2;2T', '\x1b[>1T', '\x1b[?1T', '\x1b[1;1S', '\x1b[?1S', '\x1b[0T', '\x1b[0S']
ODD_ESC = ['\x1b=', '\x1b>', '\x1b#9', '\x1b%@\x1b%G', '\x1bZ', '\x1b ', '\x1b"1', '\x1b$B', '\x1b(\x1b(B', '\x1bN', '\x1bO',
           '\x1b~', '\x1b}', '\x1b|', '\x1b\\', '\x1b ~', '\x1b(%5', '\x1b(0\x0e', '\x1b*B\x1bN']
MODES = ['4', '8', '9', '18', '19', '35', '44', '46', '67', '80', '95', '1034', '1035', '1070', '2026', '1005', '1007',
         '1015', '1016', '1042', '12', '13']


def odd_numbers(r):
    return [r.choice(['', '0', '1', '2', '32767', '32768', '65535', '65536', '4294967297', '1:2', '9' * 20])
            for _ in range(r.randint(0, 4))]


def number(r, most=24):
    return r.choice(['', '0', '1', '2', '3', str(r.randint(0, most)), str(r.randint(0, most)), '99'])


def csi(final, *args, lead='', inter=''):
    return '\x1b[' + lead + ';'.join(args) + inter + final


def text(r, wide):
    k = r.random()
    if wide and k < 0.15:
        return ''.join(r.choice(WIDE) for _ in range(r.choice([1, 2, 3, 11])))
    if k < 0.25:
        return r.choice('aeou') + r.choice(MARKS) + 'x'
    if k < 0.3:
        return r.choice('éß─│£€┌')
    return ''.join(r.choice('abcdefgXYZ0123 #`lqxjkmtuvwn~') for _ in range(r.choice([1, 2, 3, 5, 8, 15, 25])))


def rectangle(r):
    corners = [number(r, ROWS if i % 2 == 0 else COLS) for i in range(4)]
    return r.choice([
        csi('v', *corners, '1', number(r, ROWS), number(r, COLS), inter='$'),
        csi('x', r.choice(['42', '88', '8364']), *corners, inter='$'),
        csi(r.choice('z{'), *corners, inter='$'),
        csi(r.choice('rt'), *corners, r.choice(['0', '1', '4', '7', '1;4', '22', '24;7']), inter='$'),
        csi('x', r.choice(['', '0', '1', '2']), inter='*')])


def pieces(r, wide):
    """Weight and maker of each kind. Kinds that cut wide characters only without them."""
    kinds = [
        (30, lambda: text(r, wide)),
        (10, lambda: r.choice(['\r', '\n', '\r\n', '\b', '\t', '\x0b', '\x0c', '\r\n'])),
        (10, lambda: csi(r.choice('Hf'), number(r, ROWS), number(r, COLS))),
        (8, lambda: csi(r.choice('ABCDEFG`ade'), number(r, COLS))),
        (8, lambda: csi('m', r.choice(SGR))),
        (5, lambda: csi(r.choice('JK'), r.choice(['', '0', '1', '2']), lead=r.choice(['', '', '', '?']))),
        (3, lambda: csi('X', number(r, 8))),
        (4, lambda: csi(r.choice('LM'), number(r, 8))),
        (4, lambda: csi(r.choice('ST^'), number(r, 6))),
        (3, lambda: r.choice([csi(r.choice('IZ'), number(r, 3)), '\x1bH', csi('g', r.choice(['', '0', '3'])), '\t'])),
        (3, lambda: text(r, wide) + csi('b', number(r, 25))),
        (5, lambda: csi('r', number(r, ROWS), number(r, ROWS))),
        (6, lambda: r.choice(['\x1bD', '\x1bM', '\x1bE'])),
        (6, lambda: csi(r.choice('hl'), r.choice(['6', '45', '25', '5', '1', '66'] + ([] if wide else ['7', '7'])), lead='?')),
        (2, lambda: csi(r.choice('hl'), r.choice(['4', '20']))),
        (4, lambda: r.choice(['\x1b7', '\x1b8', '\x1b[s', '\x1b[u', '\x1b[?1048h', '\x1b[?1048l'])),
        (2, lambda: csi(r.choice('hl'), r.choice(['47', '1047', '1049']), lead='?')),
        (4, lambda: r.choice(SETS)),
        (1, lambda: r.choice(['\x1b[!p', '\x1b[!p', '\x1bc', '\x1b#8'])),
        (2, lambda: r.choice(STRINGS)),
        (2, lambda: r.choice(BROKEN)),
        (1, lambda: r.choice(BAD_UTF8)),
        (2, lambda: r.choice(['\x1b[?5W', '\x1b[0W', '\x1b[2W', '\x1b[5W', '\x1b[W', '\x1b[4W', '\x1b[2g', '\x1b[1g'])),
        (2, lambda: csi(r.choice('HABCDEFGJKLMPSTX@`adefmrbIZ' if not wide else 'HABCDEFGJKLMSTX`adefmrbIZ'),
                        *odd_numbers(r))),
        (3, lambda: csi('m', r.choice(ODD_SGR))),
        (1, lambda: r.choice(ODD_SCROLL)),
        (1, lambda: r.choice(['\x1b[3J', '\x1b[4J', '\x1b[3K', '\x1b[?3J', '\x1b[2;1J', '\x1b[1;2K'])),
        (1, lambda: r.choice(['\x1b[3 q', '\x1b[ q', '\x1b[7 q', '\x1b[61;1"p', '\x1b[62;1"p', '\x1b[64;1"p', '\x1b F'])),
        (2, lambda: csi(r.choice('hl'), *r.sample(MODES, r.randint(1, 3)), lead='?')),
        (1, lambda: csi(r.choice('hl'), *r.sample(['4', '7', '10', '20', '33', '34', '6'], r.randint(1, 2)))),
        (1, lambda: r.choice(['\x1b[#{', '\x1b[#}', '\x1b[1;4#{', '\x1bl', '\x1bm'])),
    ]
    if not wide:
        kinds += [
            (8, lambda: csi(r.choice('@P'), number(r, 8))),
            (4, lambda: r.choice(['\x1b[?69h', '\x1b[?69l', csi('s', number(r, COLS), number(r, COLS))])),
            (3, lambda: rectangle(r)),
            (3, lambda: r.choice([csi(r.choice('}~'), number(r, 5), inter="'"), '\x1b6', '\x1b9',
                                  csi(r.choice('@A'), number(r, 5), inter=' ')])),
            (1, lambda: r.choice(ODD_ESC)),
            (2, lambda: r.choice(['\x1b[1"q', '\x1b[0"q', '\x1b[2"q', '\x1bV', '\x1bW'])),
        ]
    return kinds


def stream(seed):
    r = random.Random(seed)
    kinds = pieces(r, seed % 3 == 0)
    weights = [w for w, _ in kinds]
    made = [r.choices(kinds, weights)[0][1]() for _ in range(r.choice([3, 5, 8, 12, 20, 30]))]
    return [p if isinstance(p, bytes) else p.encode() for p in made]

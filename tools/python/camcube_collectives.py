"""Collective operations of a CamCube for Python, through a server's Unix socket (docs/collectives-socket.md).

    import array
    from camcube_collectives import Group

    with Group("training/1", "/run/camcube/camcube-collectives-0.sock", members=[0, 1, 2]) as group:
        gradients = array.array("f", [1.0, 2.0, 3.0])
        group.allreduce(gradients)              # the sum over all members, in place
        print(group.rank, group.size, list(gradients))

A program is the member of the server whose socket it opens. Vectors are anything with writable contiguous memory: bytearray,
array.array, a numpy array. All members call the same operations in the same order. Standard library only; Linux only.
"""

import array
import os
import socket
import struct

TYPES = {
    "int8": 1,
    "int16": 2,
    "int32": 3,
    "int64": 4,
    "float16": 5,
    "float32": 6,
    "float64": 7,
    "bfloat16": 8,
}
OPERATORS = {"sum": 1, "product": 2, "min": 3, "max": 4, "and": 5, "or": 6, "xor": 7}
STATUS = {
    1: "mismatch",
    2: "member lost",
    3: "member left",
    4: "closed",
    5: "invalid",
    6: "busy",
    7: "function threw",
    8: "function late",
    9: "other settings",
    17: "bad name",
    18: "bad member",
    19: "busy",
    32: "wrong message",
}

_MARK = 0x314C4343
_REQUEST = struct.Struct("<IBBBBiiqq64s")
_ANSWER = struct.Struct("<BBHiii240s")
_BARRIER, _ALLREDUCE, _REDUCE, _BROADCAST, _REDUCESCATTER, _ALLGATHER, _OPEN, _CLOSE = (
    1,
    2,
    3,
    4,
    5,
    6,
    16,
    17,
)
_FORMATS = {"e": "float16", "f": "float32", "d": "float64"}


class CollectiveError(Exception):
    """An operation did not end well. status is a word of STATUS, the text says who or what."""

    def __init__(self, status, words):
        super().__init__(f"{status}: {words}")
        self.status = status
        self.words = words


class Group:
    """A group, as one of its members has it. One thread at a time."""

    def __init__(self, name, path, members=(), weight=1):
        """Opens it. members are ranks of servers, rank 0 of the group first; none: all servers of the cube."""
        encoded = name.encode()
        if not 0 < len(encoded) <= 64:
            raise ValueError("a name has 1 to 64 bytes")
        self._file = -1
        self._length = 0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(path)
            self._file = os.memfd_create("camcube-collectives", os.MFD_CLOEXEC)
            ranks = struct.pack(f"<{len(members)}i", *members)
            head = _REQUEST.pack(_MARK, _OPEN, 0, 0, 0, weight, len(members), 0, 0, encoded)
            self.rank, self.size = self._ask(head + ranks)
        except BaseException:
            self.abandon()
            raise

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.close()
        else:
            self.abandon()

    def allreduce(self, vector, operator="sum", type=None):
        """What all members gave becomes one, element by element, and all have it."""
        self._run(_ALLREDUCE, vector, type, operator, 0, True)

    def reduce(self, vector, root=0, operator="sum", type=None):
        """The same, and the root has it."""
        self._run(_REDUCE, vector, type, operator, root, root == self.rank)

    def broadcast(self, vector, root=0):
        """What the root has, all get."""
        self._run(_BROADCAST, vector, "int8", "or", root, root != self.rank)

    def reducescatter(self, vector, operator="sum", type=None):
        """As allreduce; of as many equal parts as there are members each has that of its rank, at its place."""
        self._run(_REDUCESCATTER, vector, type, operator, 0, True)

    def allgather(self, vector):
        """Each member's part, at its place, goes to all."""
        self._run(_ALLGATHER, vector, "int8", "or", 0, True)

    def barrier(self):
        """Ends when all members have called it."""
        self._ask(_REQUEST.pack(_MARK, _BARRIER, 0, 0, 0, 0, 0, 0, 0, b""))

    def close(self):
        """Leaves it. Who ends without is lost to the others."""
        if self._socket is not None:
            try:
                self._ask(_REQUEST.pack(_MARK, _CLOSE, 0, 0, 0, 0, 0, 0, 0, b""))
            finally:
                self.abandon()

    def abandon(self):
        """Ends as if the program had died: all others hear that this member is lost."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _run(self, kind, vector, type, operator, root, gets):
        view = memoryview(vector)
        element = TYPES[type or _type_of(view)]
        view = view.cast("B")
        if self._length < len(view):
            os.ftruncate(self._file, len(view))
            self._length = len(view)
        _all(os.pwrite, self._file, view)
        head = _REQUEST.pack(
            _MARK, kind, element, OPERATORS[operator], 0, root, 0, 0, len(view), b""
        )
        self._ask(head, self._file)
        if gets:
            _all(lambda file, part, at: os.preadv(file, [part], at), self._file, view)

    def _ask(self, message, file=-1):
        if self._socket is None:
            raise CollectiveError("closed", "the group is closed here")
        rights = array.array("i", [file])
        passed = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)] if file >= 0 else []
        sent = self._socket.sendmsg([message], passed)
        self._socket.sendall(message[sent:])
        answer = b""
        while len(answer) < _ANSWER.size:
            more = self._socket.recv(_ANSWER.size - len(answer))
            if not more:
                raise CollectiveError("closed", "the host has closed the connection")
            answer += more
        status, _, length, rank, members, _, words = _ANSWER.unpack(answer)
        if status != 0:
            text = words[:length].decode(errors="replace")
            raise CollectiveError(STATUS.get(status, str(status)), text)
        return rank, members


def _type_of(view):
    letter = view.format.lstrip("<=@")
    if letter in _FORMATS:
        return _FORMATS[letter]
    if letter in "bhilq" and len(letter) == 1:
        return f"int{8 * view.itemsize}"
    raise ValueError(f"elements of format '{view.format}': name their type, as in type='int8'")


def _all(move, file, view):
    at = 0
    while at < len(view):
        moved = move(file, view[at:], at)
        if moved == 0:
            raise EOFError("the shared memory is shorter than the vector")
        at += moved

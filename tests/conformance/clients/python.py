import sys
import redis

one = redis.Redis(port=int(sys.argv[1]), decode_responses=True)
other = redis.Redis(port=int(sys.argv[2]), decode_responses=True)
assert one.set("py", "1") and other.get("py") == "1"
assert other.incr("py", 41) == 42
assert one.set("py", "x", nx=True) is None
assert one.set("py:e", "v", px=60_000) and 50_000 < other.pttl("py:e") <= 60_000
assert one.mget("py", "py:none") == ["42", None]
assert sorted(other.scan_iter(match="py*")) == ["py", "py:e"]


def move(pipe):
    there = int(pipe.get("{py}a") or 0)
    pipe.multi()
    pipe.set("{py}a", there + 1)
    pipe.incr("{py}b")


for _ in range(5):
    one.transaction(move, "{py}a")
assert other.mget("{py}a", "{py}b") == ["5", "5"]
with one.pipeline(transaction=False) as pipe:
    for i in range(100):
        pipe.set(f"py{i}", i)
        pipe.get(f"py{i}")
    assert pipe.execute()[1::2] == [str(i) for i in range(100)]
try:
    one.lpush("list", 1)
    raise AssertionError("a list was made")
except redis.ResponseError as error:
    assert "lists" in str(error)

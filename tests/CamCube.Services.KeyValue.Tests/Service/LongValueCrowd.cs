using System.Security.Cryptography;
using CamCube.Services.KeyValue.Members;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Writers of long and short values, each of a key of its own, and what may be there afterwards.</summary>
internal sealed class LongValueCrowd(StoreCube cube, int keys, int seed)
{
    private static readonly string Nothing = "";
    private readonly Random _random = new(seed);
    private readonly Dictionary<int, HashSet<string>> _maybe = Enumerable
        .Range(0, keys)
        .ToDictionary(static k => k, static _ => new HashSet<string>());

    private readonly Dictionary<int, string> _latest = [];
    private readonly Dictionary<int, int> _lost = [];
    private readonly List<Writing> _running = [];
    private int _values;

    public int Done { get; private set; }

    /// <summary>Begins a change of every key at a server that is there.</summary>
    public void BeginAll(int away)
    {
        for (int key = 0; key < keys; key++)
        {
            int rank = Draw(away);
            IKeyValueStore store = cube[rank];
            byte[]? value = _random.Next(8) switch
            {
                0 => null,
                1 => LongValues.Of(_values++, _random.Next(1, 500)),
                _ => LongValues.Of(_values++, _random.Next(66_000, 900_000)),
            };
            ValueTask<KeyValueAnswer> task = value is null
                ? store.DeleteAsync(KeyValueKey.Of($"{key}"))
                : LongValues.WriteAsync(store, $"{key}", value);
            _running.Add(new Writing(key, rank, _lost.GetValueOrDefault(rank), HashOf(value), task.AsTask()));
        }
    }

    /// <summary>A server fails; what was asked of it may be done once, or never.</summary>
    public void Fail(int rank)
    {
        cube.Cube.Kill(cube.Cube.Shape.At(rank));
        _lost[rank] = _lost.GetValueOrDefault(rank) + 1;
    }

    /// <summary>The power fails everywhere.</summary>
    public void FailAll()
    {
        for (int rank = 0; rank < cube.Cube.Shape.Count; rank++)
        {
            Fail(rank);
        }

        for (int rank = 0; rank < cube.Cube.Shape.Count; rank++)
        {
            cube.Cube.Revive(cube.Cube.Shape.At(rank));
        }
    }

    /// <summary>Waits for all that is not lost.</summary>
    public void EndAll()
    {
        cube.Cube.AwaitUntil(() => _running.TrueForAll(w => w.Task.IsCompleted || IsLost(w)), "Writers hang");
        foreach (Writing writing in _running)
        {
            HashSet<string> maybe = _maybe[writing.Key];
            KeyValueStatus status = IsLost(writing) ? Unknown : writing.Task.Result.Status;
            if (status == KeyValueStatus.Done)
            {
                // Nobody else changes this key: so that is what is there, or what may still come of earlier ones.
                Done++;
                _latest[writing.Key] = writing.Hash;
            }
            else if (status == Unknown)
            {
                maybe.Add(writing.Hash);
            }
            else
            {
                Assert.Contains(status, (KeyValueStatus[])[NotFound, Unavailable]);
            }
        }

        _running.Clear();
    }

    /// <summary>All that are there read the same of each key, and nothing that nobody wrote.</summary>
    public void Check(int away)
    {
        for (int key = 0; key < keys; key++)
        {
            (KeyValueAnswer answer, byte[] value) = Read(Draw(away), key);
            string found = answer.Status == NotFound ? Nothing : HashOf(value);
            bool isRight = _latest.GetValueOrDefault(key, Nothing) == found || _maybe[key].Contains(found);
            Assert.True(isRight, $"key {key}: {value.Length} bytes that nobody wrote, {answer}");
            (_, byte[] again) = Read(Draw(away), key);
            Assert.Equal(found, answer.Status == NotFound ? Nothing : HashOf(again));
        }
    }

    /// <summary>Each server has the pieces of the values that it has, and of no others.</summary>
    public void CheckCopies()
    {
        for (int rank = 0; rank < cube.Cube.Shape.Count; rank++)
        {
            MemberHost host = ((KeyValueService)cube[rank]).Host;
            int named = host.Members.Sum(m => host.Index.Of(m.Id.Number).Count(static e => e.Value.IsInPieces));
            Assert.Equal((rank, named), (rank, host.Pieces.Keeper.Pieces.Count));
        }
    }

    private (KeyValueAnswer Answer, byte[] Value) Read(int rank, int key)
    {
        for (int tries = 0; ; tries++)
        {
            (KeyValueAnswer answer, byte[] value) = LongValues.Read(cube, rank, $"{key}", 0, long.MaxValue);
            if (answer.Status is KeyValueStatus.Done or NotFound)
            {
                return (answer, value);
            }

            Assert.True(tries < 40, $"key {key} at {rank}: {answer}");
            cube.Cube.Advance(TimeSpan.FromMilliseconds(500));
        }
    }

    private int Draw(int away)
    {
        int rank = _random.Next(cube.Cube.Shape.Count);
        return rank == away ? (rank + 1) % cube.Cube.Shape.Count : rank;
    }

    private bool IsLost(Writing writing) => _lost.GetValueOrDefault(writing.Rank) != writing.Run;

    private static string HashOf(byte[]? value) =>
        value is null ? Nothing : Convert.ToHexString(SHA256.HashData(value));

    private sealed record Writing(int Key, int Rank, int Run, string Hash, Task<KeyValueAnswer> Task);
}

using System.Globalization;
using System.Text;
using CamCube.Services.Cache;
using CamCube.Simulator;

namespace CamCube.Swarm.Determinism;

/// <summary>Cache operations through the gates of a simulated cube, as clients would start them, and how they
/// ended.</summary>
public sealed class CacheOperations
{
    private static readonly CacheOperation[] Kinds =
    [
        CacheOperation.Set,
        CacheOperation.Get,
        CacheOperation.Append,
        CacheOperation.Delete,
        CacheOperation.Add,
        CacheOperation.Increment,
    ];

    private readonly List<Task<CacheReply>> _started = [];

    /// <summary>Starts one operation, unless the server is stopped.</summary>
    /// <param name="cube">The cube, between two advances.</param>
    /// <param name="rank">Where the client is.</param>
    /// <param name="kind">Which operation.</param>
    /// <param name="key">Which key.</param>
    public void Start(SimulatedCube cube, int rank, int kind, int key)
    {
        if (!cube.IsRunning(rank))
        {
            return;
        }

        var request = new CacheRequest
        {
            Terms = new CacheTerms { Operation = Kinds[kind % Kinds.Length], Delta = 1 },
            Key = Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"key {key}")),
            Value = new byte[key * 37],
        };
        _started.Add(
            cube.GateOf(rank)
                .CallAsync<ICache, CacheRequest, CacheReply>(
                    static (cache, asked) => cache.ExecuteAsync(asked),
                    request
                )
                .AsTask()
        );
    }

    /// <summary>How many ended how.</summary>
    public string Outcome() =>
        string.Join(
            ", ",
            _started
                .GroupBy(task =>
                    task.IsCompletedSuccessfully ? task.Result.Status.ToString()
                    : task.IsCompleted ? "Unavailable"
                    : "Open"
                )
                .OrderBy(group => group.Key, StringComparer.Ordinal)
                .Select(group => $"{group.Key} {group.Count()}")
        );
}

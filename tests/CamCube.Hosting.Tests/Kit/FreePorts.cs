using CamCube.Testing;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>
/// Ranges of free ports on loopback. They lie below those that the operating system hands out and below those of the
/// system tests; each process that runs these tests locks a slice of its own, so that two of them never meet.
/// </summary>
internal static class FreePorts
{
    private static readonly Lock _lock = new();
    private static readonly HashSet<int> _leased = [];
    private static readonly PortSlice _slice = PortSlice.Take("hosting-tests", first: 12_000, slices: 4, count: 1_500);

    /// <summary>First port of a range of which all are free now; nobody else gets them until <see cref="Return"/>.</summary>
    public static int Take(int count)
    {
        lock (_lock)
        {
            for (int first = _slice.First; first + count <= _slice.First + _slice.Count; first++)
            {
                int[] range = [.. Enumerable.Range(first, count)];
                if (!range.Any(_leased.Contains) && range.All(IsFree))
                {
                    _leased.UnionWith(range);
                    return first;
                }
            }
        }

        throw new InvalidOperationException($"No {count} free ports in a row of {_slice}.");
    }

    /// <summary>Others may have the range.</summary>
    public static void Return(int first, int count)
    {
        lock (_lock)
        {
            _leased.ExceptWith(Enumerable.Range(first, count));
        }
    }

    public static bool IsFree(int port) => PortSlice.IsFree(port);
}

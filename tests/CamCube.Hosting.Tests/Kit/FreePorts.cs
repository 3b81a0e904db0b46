using CamCube.Testing;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>
/// Ranges of free ports on loopback. They lie below those that the operating system hands out and below those of the
/// system tests; each process that runs these tests locks a slice of its own, so that two of them never meet.
/// </summary>
internal static class FreePorts
{
    private static readonly Lock Gate = new();
    private static readonly HashSet<int> Leased = [];
    private static readonly PortSlice Slice = PortSlice.Take("hosting-tests", first: 12_000, slices: 4, count: 1_500);

    /// <summary>First port of a range of which all are free now; nobody else gets them until
    /// <see cref="Return"/>.</summary>
    public static int Take(int count)
    {
        lock (Gate)
        {
            for (int first = Slice.First; first + count <= Slice.First + Slice.Count; first++)
            {
                int[] range = [.. Enumerable.Range(first, count)];
                if (!range.Any(Leased.Contains) && range.All(IsFree))
                {
                    Leased.UnionWith(range);
                    return first;
                }
            }
        }

        throw new InvalidOperationException($"No {count} free ports in a row of {Slice}.");
    }

    /// <summary>Others may have the range.</summary>
    public static void Return(int first, int count)
    {
        lock (Gate)
        {
            Leased.ExceptWith(Enumerable.Range(first, count));
        }
    }

    public static bool IsFree(int port) => PortSlice.IsFree(port);
}

using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Memory;

namespace CamCube.Simulator.Engine;

/// <summary>
/// Hints that bring a server's data towards the cache before it is simulated. A hop in a large cube is mostly cache
/// misses, and data is reached in steps, so while one server runs, the last step of one that comes soon is on its way,
/// and the first of one that comes later.
/// </summary>
internal sealed class LookAhead(Cables cables)
{
    private const int Far = 6;
    private const int Middle = 4;
    private const int Near = 2;
    private const int Next = 1;
    private readonly HotArray _hot = cables.Hot;
    private readonly Cables.InFlight[] _flight = cables.Flight;
    private readonly ServerRuntime?[] _servers = cables.Servers;

    /// <summary>Hints for the servers that come after one of those that are due.</summary>
    /// <param name="i">Which of them runs now.</param>
    /// <param name="due">Their ranks, less the first.</param>
    /// <param name="first">The first rank.</param>
    /// <param name="end">End of the window.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void From(int i, ReadOnlySpan<int> due, int first, long end)
    {
        if ((uint)(i + Far) < (uint)due.Length)
        {
            Server(first + due[i + Far]);
        }

        if ((uint)(i + Middle) < (uint)due.Length)
        {
            Parts(first + due[i + Middle], end);
        }

        if ((uint)(i + Near) < (uint)due.Length)
        {
            Queues(first + due[i + Near], end);
        }

        if ((uint)(i + Next) < (uint)due.Length)
        {
            Services(first + due[i + Next], end);
        }
    }

    // What lies in arrays.
    private void Server(int rank)
    {
        ServerRuntime.Prefetch(_servers[rank]!);
        Prefetch.Block(ref _hot[rank], 4);
        Prefetch.Block(ref _flight[rank * Cables.InLinks], 3);
    }

    // What the server's object names, and packets that arrive before a time.
    private void Parts(int rank, long end)
    {
        _servers[rank]!.PrefetchParts();
        for (uint due = Arrivals(rank, end); due != 0; due &= due - 1)
        {
            Prefetch.Object(FirstOf(rank, due), 2);
        }
    }

    // What those name.
    private void Queues(int rank, long end)
    {
        ServerRuntime server = _servers[rank]!;
        server.Egress.Prefetch();
        for (uint due = Arrivals(rank, end); due != 0; due &= due - 1)
        {
            if (server.SlotOf(FirstOf(rank, due)) is { } slot)
            {
                Prefetch.Object(slot, 2);
            }
        }
    }

    // Services that get the packets.
    private void Services(int rank, long end)
    {
        ServerRuntime server = _servers[rank]!;
        for (uint due = Arrivals(rank, end); due != 0; due &= due - 1)
        {
            if (server.SlotOf(FirstOf(rank, due)) is { } slot)
            {
                Prefetch.Object(slot.Service, 1);
            }
        }
    }

    private uint Arrivals(int rank, long end)
    {
        Vector512<long> when = Vector512.LoadUnsafe(ref _hot[rank].When[0]);
        return (uint)Vector512.LessThan(when, Vector512.Create(end)).ExtractMostSignificantBits()
            & ((1u << Links.Cables) - 1);
    }

    private Packet FirstOf(int rank, uint links) =>
        _flight[(rank * Cables.InLinks) + BitOperations.TrailingZeroCount(links)].Head!;
}

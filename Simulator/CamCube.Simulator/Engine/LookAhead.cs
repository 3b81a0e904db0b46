using System.Numerics;
using System.Runtime.Intrinsics;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Internal;

namespace CamCube.Simulator.Engine;

/// <summary>
/// Hints that bring a server's data towards the cache before it is simulated. A hop in a large cube is mostly cache misses, and data is
/// reached in steps, so while one server runs, the last step of one that comes soon is on its way, and the first of one that comes later.
/// </summary>
internal sealed class LookAhead(Cables cables)
{
    /// <summary>How many servers ahead the first step is.</summary>
    public const int Far = 6;

    /// <summary>How many servers ahead the second step is.</summary>
    public const int Second = 4;

    /// <summary>How many servers ahead the third step is.</summary>
    public const int Third = 2;

    /// <summary>How many servers ahead the last step is.</summary>
    public const int Last = 1;

    private readonly HotArray _hot = cables.Hot;
    private readonly Cables.InFlight[] _flight = cables.Flight;
    private readonly ServerRuntime?[] _servers = cables.Servers;

    /// <summary>What lies in arrays.</summary>
    public void Server(int rank)
    {
        ServerRuntime.Prefetch(_servers[rank]!);
        Prefetch.Block(ref _hot[rank], 4);
        Prefetch.Block(ref _flight[rank * Cables.InLinks], 3);
    }

    /// <summary>What the server's object names, and packets that arrive before a time.</summary>
    public void Parts(int rank, long end)
    {
        _servers[rank]!.PrefetchParts();
        for (uint due = Arrivals(rank, end); due != 0; due &= due - 1)
        {
            Prefetch.Object(FirstOf(rank, due), 2);
        }
    }

    /// <summary>What those name.</summary>
    public void Queues(int rank, long end)
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

    /// <summary>Services that get the packets.</summary>
    public void Services(int rank, long end)
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
        return (uint)Vector512.LessThan(when, Vector512.Create(end)).ExtractMostSignificantBits() & ((1u << Links.Cables) - 1);
    }

    private Packet FirstOf(int rank, uint links) => _flight[(rank * Cables.InLinks) + BitOperations.TrailingZeroCount(links)].Head!;
}

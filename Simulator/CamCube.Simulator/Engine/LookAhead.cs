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
    public const int First = 8;

    /// <summary>How many servers ahead the second step is.</summary>
    public const int Second = 6;

    /// <summary>How many servers ahead the third step is.</summary>
    public const int Third = 4;

    /// <summary>How many servers ahead the last step is.</summary>
    public const int Last = 2;

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

    /// <summary>What the server's object names.</summary>
    public void Parts(int rank) => _servers[rank]!.PrefetchParts();

    /// <summary>What those name.</summary>
    public void Slots(int rank) => _servers[rank]!.PrefetchSlots();

    /// <summary>Services, and the packets that arrive before a time.</summary>
    public void Packets(int rank, long end)
    {
        _servers[rank]!.PrefetchServices();
        ref HotState hot = ref _hot[rank];
        uint due = (uint)Vector512.LessThan(Vector512.LoadUnsafe(ref hot.When[0]), Vector512.Create(end)).ExtractMostSignificantBits();
        for (due &= (1u << Links.Cables) - 1; due != 0; due &= due - 1)
        {
            if (_flight[(rank * Cables.InLinks) + BitOperations.TrailingZeroCount(due)].Head is { } packet)
            {
                Prefetch.Object(packet, 2);
            }
        }
    }
}

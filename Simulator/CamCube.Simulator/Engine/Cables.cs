using CamCube.Runtime.Engine;
using CamCube.Runtime.Internal;

namespace CamCube.Simulator.Engine;

/// <summary>
/// What all partitions of a simulated cube know: who is cabled to whom, which directions are cut, which servers run. Changed between
/// windows only; what is in flight towards a server, and its hot block, belong to that server's partition.
/// </summary>
internal sealed class Cables : IDisposable
{
    /// <summary>Places per server in arrays that have one per link: a power of two.</summary>
    public const int InLinks = 8;

    public Cables(TorusShape shape)
    {
        int n = shape.Count;
        Hot = new HotArray(n + 1);
        Flight = new InFlight[n * InLinks];
        Peer = new int[n * InLinks];
        Cut = new bool[n * InLinks];
        Servers = new ServerRuntime?[n];
        Resume = new long[n];
        for (int rank = 0; rank < n; rank++)
        {
            Coordinate c = shape.At(rank);
            for (int link = 0; link < Links.Cables; link++)
            {
                Peer[(rank * InLinks) + link] = (shape.RankOf(shape.Step(c, (Link)link)) * InLinks) + (link ^ 1);
            }
        }
    }

    public HotArray Hot { get; }

    /// <summary>Packets on each cable towards a server, in the order in which they arrive.</summary>
    public InFlight[] Flight { get; }

    /// <summary>Where the cable of each out-link ends: server and in-link in one number.</summary>
    public int[] Peer { get; }

    /// <summary>Out-links whose packets are lost.</summary>
    public bool[] Cut { get; }

    public ServerRuntime?[] Servers { get; }

    /// <summary>Until when each server is paused; a time that has passed: it is not.</summary>
    public long[] Resume { get; }

    /// <summary>No server is paused after this.</summary>
    public long LastResume { get; private set; }

    /// <summary>Nothing happens at a server until a time.</summary>
    public void Pause(int rank, long until)
    {
        Resume[rank] = until;
        LastResume = Math.Max(LastResume, until);
    }

    public void Dispose() => Hot.Dispose();

    internal struct InFlight
    {
        public Packet? Head;
        public Packet? Tail;
        public int Count;
    }
}

using CamCube.Runtime.Engine;
using CamCube.Runtime.Memory;

namespace CamCube.Simulator.Engine;

/// <summary>
/// What all partitions of a simulated cube know: who is cabled to whom, which directions are cut, which servers run.
/// Changed between windows only; what is in flight towards a server, and its hot block, belong to that server's
/// partition.
/// </summary>
internal sealed class Cables : IDisposable
{
    /// <summary>Places per server in arrays that have one per link: a power of two.</summary>
    public const int InLinks = 1 << InLinkBits;

    /// <summary>Bits of the in-link in a number of server and in-link.</summary>
    public const int InLinkBits = 3;

    /// <summary>In <see cref="Way"/>: a packet that is sent there is lost.</summary>
    public const int Lost = -1;

    public Cables(TorusShape shape)
    {
        int n = shape.Count;
        Hot = new HotArray(n + 1);
        Flight = new InFlight[n * InLinks];
        Peer = new int[n * InLinks];
        Cut = new bool[n * InLinks];
        Way = new int[n * InLinks];
        Array.Fill(Way, Lost);
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

    /// <summary>Where a packet on each out-link arrives, as <see cref="Peer"/>, or <see cref="Lost"/>: cut, or nobody
    /// runs there.</summary>
    public int[] Way { get; }

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

    /// <summary>A server runs, or does not any more.</summary>
    public void SetServer(int rank, ServerRuntime? server)
    {
        Servers[rank] = server;
        for (int link = 0; link < Links.Cables; link++)
        {
            // The other end of a cable towards this server.
            SetWay(Peer[(rank * InLinks) + link]);
        }
    }

    /// <summary>Cuts or mends one direction of a cable.</summary>
    public void SetCut(int outLink, bool cut)
    {
        Cut[outLink] = cut;
        SetWay(outLink);
    }

    public void Dispose() => Hot.Dispose();

    private void SetWay(int outLink) =>
        Way[outLink] = Cut[outLink] || Servers[Peer[outLink] / InLinks] is null ? Lost : Peer[outLink];

    public struct InFlight
    {
        public Packet? Head;

        /// <summary>The last packet; null if the head is it.</summary>
        public Packet? Tail;

        /// <summary>When the last packet arrives.</summary>
        public long LastWhen;
        public int Count;
    }
}

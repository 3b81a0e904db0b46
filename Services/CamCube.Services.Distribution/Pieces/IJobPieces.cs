using CamCube.Services.Distribution.Counting;
using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Pieces;

/// <summary>What all stripes of a job at a server have in common. Loop only.</summary>
internal interface IJobPieces
{
    /// <summary>The server.</summary>
    IServer Server { get; }

    /// <summary>The file's pieces.</summary>
    PieceLayout Layout { get; }

    /// <summary>Pieces of each tree that may be in memory.</summary>
    int Window { get; }

    /// <summary>Buffers for windows of members.</summary>
    PieceBuffers Windows { get; }

    /// <summary>Buffers for what is on its way to a child, or only passed on.</summary>
    PieceBuffers Transit { get; }

    /// <summary>What is counted.</summary>
    DistributionCounters Counters { get; }

    /// <summary>Most bytes of a stripe per second that a child is given; 0: as many as links carry.</summary>
    double StripeLimit { get; }

    /// <summary>Whether a piece is nothing but zeros.</summary>
    bool IsZero(int piece);

    /// <summary>Whether a part of a piece, whole blocks, is what it was.</summary>
    bool IsRight(int piece, int offset, ReadOnlySpan<byte> bytes);

    /// <summary>What the first bytes of the next piece that is served are changed by: for tests.</summary>
    ReadOnlySpan<byte> Forgery();

    /// <summary>Pulls a vertex's parent, for a sink here.</summary>
    PullInput<PieceRequest> PullParentOf(in VertexId vertex, IPullSink<PieceRequest> sink);
}

using CamCube.Services.Distribution.Counting;
using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Pieces;

/// <summary>Whose pieces they are: a file here, whole or on its way. Loop only.</summary>
internal interface IPieceFile
{
    /// <summary>The server.</summary>
    IServer Server { get; }

    /// <summary>What is known of the file.</summary>
    Manifest Manifest { get; }

    /// <summary>Its pieces.</summary>
    PieceLayout Layout { get; }

    /// <summary>Buffers for windows of them: who has one waits for the disk, or for a parent.</summary>
    PieceBuffers Windows { get; }

    /// <summary>Buffers for what is on its way to a child: who has one waits for that child alone.</summary>
    PieceBuffers Transit { get; }

    /// <summary>What is counted.</summary>
    DistributionCounters Counters { get; }

    /// <summary>The file on disk.</summary>
    IDiskFile File { get; }

    /// <summary>Pulls a stripe from the parent of this server in its tree.</summary>
    PullInput<PieceRequest> Pull(int tree, IPullSink<PieceRequest> sink);

    /// <summary>Whether a piece is what it was. (Tests plant that nobody looks.)</summary>
    bool IsRight(int piece, ReadOnlySpan<byte> bytes);

    /// <summary>Whether the next piece that is served is forged: for tests.</summary>
    bool Forges();

    /// <summary>More pieces of a stripe are on disk.</summary>
    void OnStored();

    /// <summary>It cannot go on.</summary>
    void Fail(string words);
}

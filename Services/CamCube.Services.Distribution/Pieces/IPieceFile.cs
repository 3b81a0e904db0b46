using CamCube.Services.Distribution.Counting;
using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Pieces;

/// <summary>Whose pieces they are: a file here, whole or on its way, or what is passed on for others. Loop
/// only.</summary>
internal interface IPieceFile
{
    /// <summary>The server.</summary>
    IServer Server { get; }

    /// <summary>Its pieces.</summary>
    PieceLayout Layout { get; }

    /// <summary>Buffers for windows of them: who has one waits for the disk, or for a parent.</summary>
    PieceBuffers Windows { get; }

    /// <summary>Buffers for what is on its way to a child: who has one waits for that child alone.</summary>
    PieceBuffers Transit { get; }

    /// <summary>What is counted.</summary>
    DistributionCounters Counters { get; }

    /// <summary>What pieces of a tree are kept in on disk. Null: nothing is kept, only passed on.</summary>
    IDiskFile? FileOf(int tree);

    /// <summary>Most bytes of a stripe per second that a child is given; 0: as many as links carry.</summary>
    double StripeLimit { get; }

    /// <summary>Whether a piece is nothing but zeros: it is not sent.</summary>
    bool IsZero(int piece);

    /// <summary>Pieces that are made of others are wrong: for tests.</summary>
    bool Miscodes { get; }

    /// <summary>Whether a stripe is to be pulled now. Not where a code makes up for it.</summary>
    bool MayPull(int tree);

    /// <summary>Whether a piece that is not on disk is wanted here.</summary>
    bool IsWanted(int tree, int number);

    /// <summary>A piece came, whole and right.</summary>
    void OnCame(int tree, PieceSlot slot);

    /// <summary>Nothing is asked for any more in a stripe.</summary>
    void OnPulled();

    /// <summary>Pulls a stripe from the parent of its vertex, or, while the source is lost, from some other
    /// member.</summary>
    /// <param name="tree">The stripe's tree.</param>
    /// <param name="sink">Who pulls.</param>
    /// <param name="elsewhere">From some other member, another one each time.</param>
    PullInput<PieceRequest> Pull(int tree, IPullSink<PieceRequest> sink, bool elsewhere);

    /// <summary>Whether a part of a piece, whole blocks, is what it was. (Tests plant that nobody looks.)</summary>
    bool IsRight(int piece, int offset, ReadOnlySpan<byte> bytes);

    /// <summary>Somebody gave a block that is not what it was.</summary>
    void Blame(Coordinate server);

    /// <summary>What the first bytes of the next piece that is served are changed by: for tests.</summary>
    ReadOnlySpan<byte> Forgery();

    /// <summary>More pieces of a stripe are on disk.</summary>
    void OnStored();

    /// <summary>Nobody reads a stripe any more.</summary>
    void OnUnread();

    /// <summary>It cannot go on.</summary>
    void Fail(string words);
}

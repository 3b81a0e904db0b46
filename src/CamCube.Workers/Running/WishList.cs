namespace CamCube.Workers;

/// <summary>What callers want of a program.</summary>
internal record struct WishList
{
    /// <summary>What is to be written; empty: nothing.</summary>
    public ReadOnlyMemory<byte> Input { get; set; }

    /// <summary>Where is to be read to; empty: nowhere.</summary>
    public Memory<byte> Output { get; set; }

    /// <summary>Whether there will be no more input.</summary>
    public bool IsInputCompleted { get; set; }

    /// <summary>Whether there is no more output.</summary>
    public bool IsOutputOver { get; set; }

    /// <summary>Whether nobody wants anything any more.</summary>
    public bool IsDisposed { get; set; }

    /// <summary>Why it was killed.</summary>
    public ProgramKill Killed { get; set; }
}

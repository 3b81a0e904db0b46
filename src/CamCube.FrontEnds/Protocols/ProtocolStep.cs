namespace CamCube.FrontEnds.Protocols;

/// <summary>How far a protocol came with the bytes it was given.</summary>
public enum ProtocolStep : byte
{
    /// <summary>It did something; call again.</summary>
    Took,

    /// <summary>It waits for more bytes; it may have consumed some, and answered, in this very step.</summary>
    NeedsInput,

    /// <summary>It waits until a question in work has ended or was answered.</summary>
    NeedsRoom,

    /// <summary>It reads no more: the connection ends when what is in work was answered.</summary>
    Ended,

    /// <summary>
    /// It takes nothing until <see cref="IQuestionOwner.QuestionEnded"/> is called, though no question of its own is in
    /// work: others are to do something first. A client that sends no more, or is gone, is closed meanwhile, and what
    /// it said last is never done.
    /// </summary>
    Held,
}

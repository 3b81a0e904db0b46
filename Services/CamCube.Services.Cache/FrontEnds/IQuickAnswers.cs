namespace CamCube.Services.Cache.FrontEnds;

/// <summary>Answers commands on the spot, where the cache is at hand.</summary>
internal interface IQuickAnswers
{
    /// <summary>Does a command that nobody waits in front of, and writes its answer. False: it has to be started, and
    /// nothing was done.
    /// </summary>
    bool TryAnswer(CommandSlot slot);

    /// <summary>Whether another may be answered before it is looked what else there is to do.</summary>
    bool MayGoOn { get; }

    /// <summary>The command after the next will be on this key.</summary>
    void Hint(ReadOnlySpan<byte> key);
}

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>Answers commands on the spot, where the cache is at hand.</summary>
internal interface IQuickAnswers
{
    /// <summary>Does a command that nobody waits in front of, and writes its answer. False: it has to be started, and nothing was done.
    /// </summary>
    bool TryAnswer(CommandSlot slot);
}

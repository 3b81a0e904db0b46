namespace CamCube.Services.Cache.FrontEnds;

/// <summary>Who waits for the commands of one connection.</summary>
internal interface ICommandOwner
{
    /// <summary>A command that did not end at once has ended. Any thread.</summary>
    void CommandEnded();
}

namespace CamCube.Hosting.Reloading;

/// <summary>A reload was refused before any server was touched; the message is a line for people.</summary>
internal sealed class ReloadRefusedException(ReloadRefusal refusal, string message) : Exception(message)
{
    /// <summary>What kind of refusal it is.</summary>
    public ReloadRefusal Refusal => refusal;
}

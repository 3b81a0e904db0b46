namespace CamCube.Tool.Syntax;

/// <summary>How the tool ends.</summary>
internal static class ExitCode
{
    /// <summary>Done.</summary>
    public const int Ok = 0;

    /// <summary>The host, or a service, could not or would not do it.</summary>
    public const int Failed = 1;

    /// <summary>The command line is wrong, or no host answers.</summary>
    public const int Usage = 2;

    /// <summary>No server runs the service; or, of the key-value store, too few answer, or whether a change was
    /// made is not known.</summary>
    public const int Unavailable = 3;

    /// <summary>Ctrl+C, as shells count it.</summary>
    public const int Cancelled = 130;
}

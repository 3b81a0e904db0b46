namespace CamCube.Hosting.FrontEnds;

/// <summary>A front end of a server could not be started.</summary>
internal sealed class FrontEndStartException(
    FrontEndDefinition definition,
    Coordinate server,
    int port,
    Exception cause
)
    : Exception(
        $"front end {definition.Name} of server {server}{(definition.HasPort ? $", port {port}" : "")}: "
            + $"{cause.Message}",
        cause
    )
{
    /// <summary>Which one.</summary>
    public FrontEndDefinition Definition { get; } = definition;

    /// <summary>Its port.</summary>
    public int Port { get; } = port;

    /// <summary>Whether another process has the port.</summary>
    public bool IsPortInUse => Definition.HasPort && InnerException is FrontEndException { IsPortInUse: true };

    /// <summary>Whether the front end said in words what is wrong; otherwise it is a bug and its stack is worth
    /// seeing.</summary>
    public bool IsExplained => InnerException is FrontEndException;
}

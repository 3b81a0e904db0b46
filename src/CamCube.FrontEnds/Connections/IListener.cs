namespace CamCube.FrontEnds.Connections;

/// <summary>An open port. Any thread.</summary>
internal interface IListener
{
    /// <summary>Closes the port; returns when nobody is accepted any more. The clients stay.</summary>
    Task CloseAsync();
}

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>An open port. Any thread.</summary>
internal interface IClientListener
{
    /// <summary>Closes the port; returns when nobody is accepted any more. The clients stay.</summary>
    Task CloseAsync();
}

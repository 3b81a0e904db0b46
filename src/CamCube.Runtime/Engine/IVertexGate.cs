namespace CamCube.Runtime.Engine;

/// <summary>The gate of one vertex, which leads to the server that runs there now.</summary>
internal interface IVertexGate : IServerGate
{
    /// <summary>The server that runs now; null while stopped. Written on the loop, read by any thread.</summary>
    ServerRuntime? Current { get; set; }
}

namespace CamCube.Runtime.Engine;

/// <summary>Finds the running implementation each time, so a restarted one is found by itself.</summary>
internal sealed class LocalDependency<T>(ServerRuntime server) : Dependency<T>
    where T : class
{
    public override T Value =>
        server.FindSlot(typeof(T))?.Instance as T ?? throw new ServiceUnavailableException(typeof(T).Name);

    public override bool IsAvailable => server.FindSlot(typeof(T)) is not null;
}

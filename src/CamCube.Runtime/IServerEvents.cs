namespace CamCube.Runtime;

/// <summary>What a server tells its host, for logs and health. Called on the loop; must not block or throw.</summary>
public interface IServerEvents
{
    /// <summary>A service threw and was stopped on this server.</summary>
    void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart);

    /// <summary>A service runs again after a fault.</summary>
    void ServiceRestarted(Coordinate server, string service);

    /// <summary>A server's own view changed.</summary>
    void TopologyChanged(Coordinate server, TopologyChange change);
}

namespace CamCube.Runtime;

/// <summary>What a server tells its host, for logs and health. Called on the loop; must not block or throw.</summary>
public interface IServerEvents
{
    /// <summary>A service threw and was stopped on this server.</summary>
    void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart);

    /// <summary>A service runs again after a fault.</summary>
    void ServiceRestarted(Coordinate server, string service);

    /// <summary>A service cannot do without others, and no service here offers what it needs. It runs, and fails where
    /// it asks for them. Told once, when it starts or when the last that offers it is removed.</summary>
    /// <param name="server">The server.</param>
    /// <param name="service">Who needs them.</param>
    /// <param name="missing">What is missing, by name, in words.</param>
    void ServiceMisses(Coordinate server, string service, string missing) { }

    /// <summary>A front end's agent in a server's loop threw and has ended; services go on.</summary>
    void AgentEnded(Coordinate server, string agent, Exception exception) { }

    /// <summary>A command of a service threw; who asked was told, and the service goes on. It may come as often as
    /// somebody asks.</summary>
    void CommandThrew(Coordinate server, string service, string command, Exception exception) { }

    /// <summary>A server's own view changed.</summary>
    void TopologyChanged(Coordinate server, TopologyChange change);

    /// <summary>Work of a service off the loop did not end by its deadline, and its thread is lost until it
    /// does.</summary>
    /// <param name="server">The server.</param>
    /// <param name="service">The service.</param>
    /// <param name="work">Name of the method.</param>
    /// <param name="lost">How many threads of its class are lost now, this one included.</param>
    void WorkOverran(Coordinate server, string service, string work, int lost) { }

    /// <summary>A server starts, and another process has its files: its services have no disk.</summary>
    void DataFolderInUse(Coordinate server, string folder) { }
}

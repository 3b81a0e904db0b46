using CamCube.Runtime;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Engine;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Observing;

/// <summary>Logs what servers tell. Called on servers' loops: the console logger queues and does not block.</summary>
internal sealed class LoggedServerEvents(ILoggerFactory loggers, EndedParts ended, TimeProvider time) : IServerEvents
{
    private readonly ILogger _logger = loggers.CreateLogger("CamCube.Servers");
    private readonly CommandFaultLog _commands = new(loggers.CreateLogger("CamCube.Servers"), time);

    /// <inheritdoc/>
    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        HostingLog.ServiceFaulted(_logger, exception, service, server, willRestart);

    /// <inheritdoc/>
    public void ServiceRestarted(Coordinate server, string service) =>
        HostingLog.ServiceRestarted(_logger, service, server);

    /// <inheritdoc/>
    public void ServiceMisses(Coordinate server, string service, string missing) =>
        HostingLog.ServiceMisses(_logger, service, server, missing);

    /// <inheritdoc/>
    public void AgentEnded(Coordinate server, string agent, Exception exception)
    {
        HostingLog.AgentEnded(_logger, exception, agent, server);
        ended.Add(
            server,
            new HealthReason(
                HealthLevel.NotReady,
                $"front end {agent} of {server} ended: {ErrorText.Describe(exception)}"
            )
        );
    }

    /// <inheritdoc/>
    public void CommandThrew(Coordinate server, string service, string command, Exception exception) =>
        _commands.Add(server, service, command, exception);

    /// <inheritdoc/>
    public void TopologyChanged(Coordinate server, TopologyChange change)
    {
        if (_logger.IsEnabled(LogLevel.Information))
        {
            HostingLog.TopologyChanged(
                _logger,
                server,
                change.Event,
                change.Server,
                change.Link.Name(),
                change.ViewVersion
            );
        }
    }

    /// <inheritdoc/>
    public void WorkOverran(Coordinate server, string service, string work, int lost) =>
        HostingLog.WorkOverran(_logger, work, service, server, lost);

    /// <inheritdoc/>
    public void DataFolderInUse(Coordinate server, string folder) =>
        HostingLog.DataFolderInUse(_logger, server, folder);
}

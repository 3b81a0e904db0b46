using System.ComponentModel;
using CamCube;
using CamCube.Services.Messenger;

namespace PingPongSample;

/// <summary>Calls a player on another server again and again, and answers when it is called.</summary>
[CamCubeService(0x7009, "ping-pong")]
public sealed class PingPong(IServer server, Dependency<IMessenger> messenger) : CamCubeService, IServiceCommands
{
    private IEndpoint? _endpoint;

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands =>
        [ServiceCommand.Of<PlayArguments, CommandResult>("play", "Plays against a server.", PlayAsync)];

    /// <inheritdoc/>
    public override void OnStart() => server.Loop.Run(ServeAsync);

    /// <inheritdoc/>
    public override void OnStop(StopReason reason) => _endpoint?.Dispose();

    private static string NameOf(Coordinate server) => $"ping-pong@{server}";

    // Opens its endpoint, and again whenever that has ended: the messenger may begin anew.
    private async ValueTask ServeAsync()
    {
        var options = new EndpointOptions { Patience = TimeSpan.FromMinutes(1) };
        while (await server.DelayAsync(TimeSpan.FromMilliseconds(10)))
        {
            if (messenger.IsAvailable)
            {
                messenger.Value.TryOpen(NameOf(server.Coordinate), options, out _endpoint);
            }

            while (_endpoint is not null && await _endpoint.WaitAsync())
            {
                while (_endpoint.TryReceive(out Message? ping))
                {
                    _endpoint.TryAnswer(ping, 0, ping[0]);
                    ping.Release();
                }
            }
        }
    }

    private async ValueTask<CommandResult> PlayAsync(PlayArguments arguments, CommandContext context)
    {
        EndpointId to = EndpointId.OfName(NameOf(arguments.To));
        ReadOnlyMemory<byte>[] ping = [new byte[arguments.Size]];
        long began = server.NowNanos;
        for (int i = 0; i < arguments.Count; i++)
        {
            if (_endpoint is null)
            {
                return CommandResult.Refused("The messenger is not there yet.");
            }

            TimeSpan patience = TimeSpan.FromSeconds(1);
            using CallAnswer pong = await _endpoint.CallAsync(to, 0, ping, patience, context.Cancel);
            if (!pong.IsAnswered)
            {
                return CommandResult.Refused($"{arguments.To} does not answer: {pong.Status}.");
            }
        }

        return CommandResult.Of(new Score((server.NowNanos - began) / 1e3 / arguments.Count));
    }

    private sealed record PlayArguments([Description("against whom")] Coordinate To, int Count = 100, int Size = 100);

    private sealed record Score(double MicrosPerRound);
}

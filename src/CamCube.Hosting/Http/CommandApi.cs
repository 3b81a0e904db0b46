using CamCube.Administration.Answers;
using CamCube.FrontEnds.Http;
using CamCube.Hosting.Control;
using CamCube.Hosting.Lifetime;
using CamCube.Hosting.Observing;
using CamCube.Hosting.Settings;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Services;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Hosting;

namespace CamCube.Hosting.Http;

/// <summary>The paths of services and their commands (docs/http-api.md).</summary>
internal sealed class CommandApi(
    ICube cube,
    HostControl control,
    HostHealth health,
    StatusReport report,
    HttpOptions options,
    BodyReader bodies,
    IHostApplicationLifetime lifetime
)
{
    /// <summary>The paths, for people.</summary>
    public const string Paths =
        "GET /api/servers/{rank or x,y,z}/services/{service}/commands, POST /api/servers/{rank or "
        + "x,y,z}/services/{service}/start, "
        + "POST /api/servers/{rank or x,y,z}/services/{service}/{command}";

    private readonly int[] _open = new int[cube.Shape.Count];

    /// <summary>Adds the paths.</summary>
    /// <param name="servers">The group of paths of one server.</param>
    /// <param name="controlled">Lets pass where servers and cables may be controlled.</param>
    public void Map(RouteGroupBuilder servers, ControlFilter controlled)
    {
        RouteGroupBuilder services = servers.MapGroup("/services/{service}");
        services.MapGet("/commands", ListAsync);
        services.MapPost("/start", StartAsync).AddEndpointFilter(controlled);
        services.MapPost("/{command}", RunAsync);
    }

    private static string Value(HttpContext context, string name) => (string?)context.GetRouteValue(name) ?? "";

    private Task ListAsync(HttpContext context)
    {
        (int rank, string name) = (ServerFilter.RankOf(context), Value(context, "service"));
        ServerStatus server = cube.GetStatus().Servers.First(s => s.Rank == rank);
        ServiceStatus? service = server.Services.FirstOrDefault(s => s.Name == name);
        if (server.State == ServerState.Stopped)
        {
            return context.RefuseAsync(
                StatusCodes.Status503ServiceUnavailable,
                $"server {server.Coordinate} is stopped."
            );
        }

        if (service is null)
        {
            return context.RefuseAsync(
                StatusCodes.Status404NotFound,
                ServiceWords.NoService(name, server.Coordinate, server.Services.Select(s => s.Name))
            );
        }

        return service.State == ServiceState.Running
            ? context.AnswerAsync(
                new CommandsAnswer(server.Coordinate.ToString(), name, [.. service.Commands.Select(Of)]),
                AdministrationJson.Answers.CommandsAnswer
            )
            : context.RefuseAsync(
                StatusCodes.Status503ServiceUnavailable,
                ServiceWords.NotRunning(name, server.Coordinate, service.State, service.LastFault)
            );
    }

    private async Task StartAsync(HttpContext context)
    {
        (int rank, string name) = (ServerFilter.RankOf(context), Value(context, "service"));
        CommandResult result = await control.StartServiceAsync(rank, name);
        if (result.IsOk)
        {
            await context.AnswerAsync(
                report.Server(rank).Services.First(service => service.Name == name),
                AdministrationJson.Answers.ServiceAnswer
            );
        }
        else
        {
            await context.RefuseAsync(StatusOf(result.Status), result.Text);
        }
    }

    private async Task RunAsync(HttpContext context)
    {
        if (!health.Runs)
        {
            throw new HostNotReadyException(health.Reasons());
        }

        int rank = ServerFilter.RankOf(context);
        if (Interlocked.Increment(ref _open[rank]) > options.CommandsAtOnce)
        {
            Interlocked.Decrement(ref _open[rank]);
            context.Response.Headers.RetryAfter = "1";
            await context.RefuseAsync(
                StatusCodes.Status429TooManyRequests,
                $"{options.CommandsAtOnce} commands run on server {cube.Shape.At(rank)} already "
                    + $"(CamCube:Http:CommandsAtOnce); try again later."
            );
            return;
        }

        Task<CommandResult>? running = null;
        using var end = CancellationTokenSource.CreateLinkedTokenSource(
            context.RequestAborted,
            lifetime.ApplicationStopping
        );
        try
        {
            if (await CallAsync(context, rank, end.Token) is { } call)
            {
                running = cube.GateOf(rank).RunCommandAsync(call, end.Token).AsTask();
                await AnswerAsync(context, await running.WaitAsync(end.Token));
            }
        }
        catch (OperationCanceledException) when (context.RequestAborted.IsCancellationRequested)
        {
            // Nobody is there to be answered.
        }
        finally
        {
            // A client that has gone makes no room: its command may go on for a while.
            _ = LeaveAsync(rank, running);
        }
    }

    private async Task LeaveAsync(int rank, Task? running)
    {
        if (running is not null)
        {
            await running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        Interlocked.Decrement(ref _open[rank]);
    }

    // Null: it was answered.
    private async Task<CommandCall?> CallAsync(HttpContext context, int rank, CancellationToken cancel)
    {
        CommandCall call = new(Value(context, "service"), Value(context, "command"))
        {
            Arguments =
            [
                .. context.Request.Query.SelectMany(a =>
                    a.Value.Select(text => KeyValuePair.Create(a.Key, text ?? ""))
                ),
            ],
            ContentType = context.Request.ContentType,
            MayChange = cube.CanControl,
        };
        if (!BodyReader.HasBody(context))
        {
            return call;
        }

        // It is read only if somebody wants it; who does not find the command says so better.
        ServiceCommand? command = cube.GetStatus()
            .Servers.First(s => s.Rank == rank)
            .Services.FirstOrDefault(s => s.Name == call.Service)
            ?.Commands.FirstOrDefault(c => c.Name == call.Command);
        if (command is null || (command.Changes && !call.MayChange))
        {
            return call;
        }

        if (!command.TakesBody)
        {
            await context.RefuseAsync(StatusCodes.Status400BadRequest, $"{command.Name} takes no body.");
            return null;
        }

        return await bodies.ReadAsync(context, cancel) is { } body ? call with { Body = body } : null;
    }

    private async Task AnswerAsync(HttpContext context, CommandResult result)
    {
        if (!result.IsOk)
        {
            string text =
                result.Status == CommandStatus.NeedsControl
                    ? $"{result.Text} {ControlFilter.Refusal(cube)}"
                    : result.Text;
            await context.RefuseAsync(StatusOf(result.Status), text);
            return;
        }

        if (result.Body.Length > options.CommandBodyLimit)
        {
            await context.RefuseAsync(
                StatusCodes.Status500InternalServerError,
                $"the answer has {result.Body.Length:N0} bytes, more than the {options.CommandBodyLimit:N0} of "
                    + $"CamCube:Http:CommandBodyLimit."
            );
            return;
        }

        context.SetHeaders();
        context.Response.ContentType =
            result.ContentType == "application/json" ? "application/json; charset=utf-8" : result.ContentType;
        context.Response.ContentLength = result.Body.Length;
        await context.Response.Body.WriteAsync(result.Body, context.RequestAborted);
    }

    private static CommandAnswer Of(ServiceCommand command) =>
        new(command.Name, command.Description, command.Changes, command.TakesBody, command.Arguments);

    private static int StatusOf(CommandStatus status) =>
        status switch
        {
            CommandStatus.Refused => StatusCodes.Status400BadRequest,
            CommandStatus.NotFound => StatusCodes.Status404NotFound,
            CommandStatus.NeedsControl => StatusCodes.Status409Conflict,
            CommandStatus.Threw => StatusCodes.Status500InternalServerError,
            _ => StatusCodes.Status503ServiceUnavailable,
        };
}

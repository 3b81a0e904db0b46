using CamCube.Administration.Answers;
using CamCube.FrontEnds.Http;
using CamCube.Hosting.Control;
using CamCube.Hosting.FrontEnds;
using CamCube.Hosting.Lifetime;
using CamCube.Hosting.Observing;
using CamCube.Runtime.Cubes;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Http;

/// <summary>The paths that every HTTP port answers, for the whole process (docs/http-api.md).</summary>
internal sealed class HttpApi(
    ICube cube,
    HostControl control,
    HostHealth health,
    StatusReport report,
    FaultApi faults,
    CommandApi commands,
    ReloadApi reloads,
    RequestGuard guard,
    IHostApplicationLifetime lifetime,
    ILogger<HttpApi> logger
)
{
    private const string Paths =
        "GET /health/live, GET /health/ready, GET /api/status, GET /api/cabling, POST /api/servers/{rank or "
        + "x,y,z}/stop or /start, "
        + "POST /api/cables/{rank or x,y,z}/{direction}/cut or /mend, "
        + FaultApi.Paths
        + ", "
        + CommandApi.Paths
        + ", "
        + ReloadApi.Paths;

    /// <summary>Adds the guard and the paths.</summary>
    public void Map(WebApplication app)
    {
        app.Use(ExplainAsync);
        app.Use(next => context => guard.InvokeAsync(context, next));
        app.UseStatusCodePages(page => NotAnsweredAsync(page.HttpContext));

        app.MapGet("/health/live", context => AnswerAsync(context, HealthReport.Live(health)));
        app.MapGet("/health/ready", context => AnswerAsync(context, HealthReport.Ready(health)));
        app.MapGet(
            "/api/status",
            context => context.AnswerAsync(report.All(), AdministrationJson.Answers.StatusAnswer)
        );
        app.MapGet("/api/cabling", CablingAsync);

        ControlFilter controlled = new(cube);
        ServerFilter server = new(cube);
        RouteGroupBuilder servers = app.MapGroup("/api/servers/{server}");
        servers.AddEndpointFilter(server);
        servers
            .MapPost("/stop", context => OnServerAsync(context, control.StopServerAsync))
            .AddEndpointFilter(controlled);
        servers
            .MapPost("/start", context => OnServerAsync(context, control.StartServerAsync))
            .AddEndpointFilter(controlled);
        commands.Map(servers, controlled);
        reloads.Map(app, controlled);
        RouteGroupBuilder cables = app.MapGroup("/api/cables/{server}/{direction}");
        cables.AddEndpointFilter(server).AddEndpointFilter(controlled);
        cables.MapPost("/cut", context => OnCableAsync(context, control.CutCableAsync));
        cables.MapPost("/mend", context => OnCableAsync(context, control.MendCableAsync));
        faults.Map(app, controlled);
    }

    private static Task NotAnsweredAsync(HttpContext context) =>
        context.RefuseAsync(
            context.Response.StatusCode,
            $"{context.Request.Method} {context.Request.Path} is not answered here; there are {Paths}."
        );

    private static Task AnswerAsync(HttpContext context, (HealthAnswer Answer, bool IsWell) health)
    {
        context.Response.StatusCode = health.IsWell ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable;
        return context.AnswerAsync(health.Answer, AdministrationJson.Answers.HealthAnswer);
    }

    /// <summary>Answered while the host still waits for its place, too: then it is wanted most.</summary>
    private Task CablingAsync(HttpContext context) =>
        cube.Cabling is { } cabling
            ? context.AnswerAsync(CablingReporter.Of(cabling), AdministrationJson.Answers.CablingAnswer)
            : context.RefuseAsync(StatusCodes.Status404NotFound, $"the shim {cube.Shim} does not look at cables.");

    private async Task OnServerAsync(HttpContext context, Func<int, Task> act)
    {
        int rank = ServerFilter.RankOf(context);
        await act(rank);
        await context.AnswerAsync(report.Server(rank), AdministrationJson.Answers.ServerAnswer);
    }

    private async Task OnCableAsync(HttpContext context, Func<int, Link, Task> act)
    {
        int rank = ServerFilter.RankOf(context);
        string text = (string?)context.GetRouteValue("direction") ?? "";
        Coordinate server = cube.Shape.At(rank);
        if (!Links.TryParse(text, out Link link))
        {
            await context.RefuseAsync(
                StatusCodes.Status404NotFound,
                $"'{text}' is no direction; there are +x, -x, +y, -y, +z, -z, or px, mx, py, my, pz, mz."
            );
        }
        else if (!cube.Shape.CabledLinks(server).Contains(link))
        {
            await context.RefuseAsync(
                StatusCodes.Status404NotFound,
                $"server {server} has no cable {link.Name()} in a cube of the shape {cube.Shape}."
            );
        }
        else
        {
            await act(rank, link);
            await context.AnswerAsync(report.Cable(rank, link), AdministrationJson.Answers.CableAnswer);
        }
    }

    private async Task ExplainAsync(HttpContext context, RequestDelegate next)
    {
        try
        {
            await next(context);
        }
        catch (HostNotReadyException e)
        {
            await context.RefuseAsync(StatusCodes.Status503ServiceUnavailable, e.Message);
        }
        catch (OperationCanceledException) when (lifetime.ApplicationStopping.IsCancellationRequested)
        {
            await context.RefuseAsync(
                StatusCodes.Status503ServiceUnavailable,
                new HostNotReadyException(health.Reasons()).Message
            );
        }
        catch (FrontEndStartException e)
        {
            await context.RefuseAsync(
                StatusCodes.Status409Conflict,
                $"the server runs, but without its ports: {e.Message}"
            );
        }
        catch (Exception e) when (!context.Response.HasStarted && !context.RequestAborted.IsCancellationRequested)
        {
            HostingLog.RequestFailed(logger, e, context.Request.Method, context.Request.Path);
            await context.RefuseAsync(
                StatusCodes.Status500InternalServerError,
                $"{e.GetType().Name}: the host's log has the details."
            );
        }
    }
}

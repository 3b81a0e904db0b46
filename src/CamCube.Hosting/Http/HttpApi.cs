using System.Globalization;
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
    RequestGuard guard,
    IHostApplicationLifetime lifetime,
    ILogger<HttpApi> logger)
{
    private const string Paths =
        "GET /health/live, GET /health/ready, GET /api/status, GET /api/cabling, POST /api/servers/{rank or x,y,z}/stop or /start, " +
        "POST /api/cables/{rank or x,y,z}/{direction}/cut or /mend, " +
        FaultApi.Paths + ", " +
        "POST /api/servers/{rank or x,y,z}/services/{service}/{command}";

    /// <summary>Adds the guard and the paths.</summary>
    public void Map(WebApplication app)
    {
        app.Use(ExplainAsync);
        app.Use(next => context => guard.InvokeAsync(context, next));
        app.UseStatusCodePages(page => NotAnsweredAsync(page.HttpContext));

        app.MapGet("/health/live", context => AnswerAsync(context, HealthAnswer.Live(health)));
        app.MapGet("/health/ready", context => AnswerAsync(context, HealthAnswer.Ready(health)));
        app.MapGet("/api/status", context => AnswerAsync(context, report.All()));
        app.MapGet("/api/cabling", CablingAsync);
        app.MapPost("/api/servers/{server}/stop", context => OnServerAsync(context, control.StopServerAsync));
        app.MapPost("/api/servers/{server}/start", context => OnServerAsync(context, control.StartServerAsync));
        app.MapPost("/api/servers/{server}/services/{service}/{command}", RunCommandAsync);
        app.MapPost("/api/cables/{server}/{direction}/cut", context => OnCableAsync(context, control.CutCableAsync));
        app.MapPost("/api/cables/{server}/{direction}/mend", context => OnCableAsync(context, control.MendCableAsync));
        faults.Map(app, MayControlAsync);
    }

    /// <summary>Answers a request with JSON.</summary>
    internal static Task AnswerAsync<T>(HttpContext context, T answer)
    {
        SetHeaders(context);
        return context.Response.WriteAsJsonAsync(answer, StatusJson.Options, context.RequestAborted);
    }

    private static Task NotAnsweredAsync(HttpContext context) => Problem.WriteAsync(
        context,
        context.Response.StatusCode,
        $"{context.Request.Method} {context.Request.Path} is not answered here; there are {Paths}.");

    private static void SetHeaders(HttpContext context)
    {
        context.Response.Headers.CacheControl = "no-store";
        context.Response.Headers.XContentTypeOptions = "nosniff";
    }

    private static Task AnswerAsync(HttpContext context, (HealthAnswer Answer, bool IsWell) health)
    {
        context.Response.StatusCode = health.IsWell ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable;
        return AnswerAsync(context, health.Answer);
    }

    /// <summary>Answered while the host still waits for its place, too: then it is wanted most.</summary>
    private Task CablingAsync(HttpContext context) => cube.Cabling is { } cabling
        ? AnswerAsync(context, CablingAnswer.Of(cabling))
        : Problem.WriteAsync(context, StatusCodes.Status404NotFound, $"the shim {cube.Shim} does not look at cables.");

    private async Task OnServerAsync(HttpContext context, Func<int, Task> act)
    {
        if (await FindServerAsync(context) is { } rank && await MayControlAsync(context))
        {
            await act(rank);
            await AnswerAsync(context, report.Server(rank));
        }
    }

    private async Task RunCommandAsync(HttpContext context)
    {
        if (await FindServerAsync(context) is not { } rank)
        {
            return;
        }

        if (!health.Runs)
        {
            throw new HostNotReadyException(health.Reasons());
        }

        string service = Value(context, "service");
        string command = Value(context, "command");
        Dictionary<string, string> arguments = context.Request.Query.ToDictionary(a => a.Key, a => a.Value.ToString());
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted, lifetime.ApplicationStopping);
        try
        {
            CommandResult result = await cube.GateOf(rank).RunCommandAsync(service, command, arguments)
                .AsTask().WaitAsync(end.Token);
            if (!result.IsOk)
            {
                await Problem.WriteAsync(context, StatusCodes.Status400BadRequest, result.Text);
                return;
            }

            SetHeaders(context);
            context.Response.ContentType = "application/json; charset=utf-8";
            await context.Response.WriteAsync(result.Text, context.RequestAborted);
        }
        catch (ServiceUnavailableException)
        {
            await Problem.WriteAsync(
                context,
                StatusCodes.Status404NotFound,
                $"no service '{service}' with commands runs on server {cube.Shape.At(rank)} now.");
        }
    }

    private async Task OnCableAsync(HttpContext context, Func<int, Link, Task> act)
    {
        if (await FindServerAsync(context) is not { } rank)
        {
            return;
        }

        string text = Value(context, "direction");
        Coordinate server = cube.Shape.At(rank);
        if (!Links.TryParse(text, out Link link))
        {
            await Problem.WriteAsync(
                context,
                StatusCodes.Status404NotFound,
                $"'{text}' is no direction; there are +x, -x, +y, -y, +z, -z, or px, mx, py, my, pz, mz.");
        }
        else if (!cube.Shape.CabledLinks(server).Contains(link))
        {
            await Problem.WriteAsync(
                context,
                StatusCodes.Status404NotFound,
                $"server {server} has no cable {link.Name()} in a cube of the shape {cube.Shape}.");
        }
        else if (await MayControlAsync(context))
        {
            await act(rank, link);
            await AnswerAsync(context, report.Cable(rank, link));
        }
    }

    private async Task<int?> FindServerAsync(HttpContext context)
    {
        string text = Value(context, "server");
        TorusShape shape = cube.Shape;
        int rank = -1;
        if (text == "self" && cube.LocalRanks is [int own])
        {
            rank = own;
        }
        else if (Coordinate.TryParse(text, out Coordinate coordinate) && shape.Contains(coordinate))
        {
            rank = shape.RankOf(coordinate);
        }
        else if (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) &&
            number < shape.Count)
        {
            rank = number;
        }

        if (rank >= 0 && cube.LocalRanks.Contains(rank))
        {
            return rank;
        }

        await Problem.WriteAsync(context, StatusCodes.Status404NotFound, rank >= 0
            ? $"server {shape.At(rank)} is not run by this process."
            : $"there is no server '{text}'; there are the ranks 0 to {shape.Count - 1}, " +
                $"or 0,0,0 to {shape.At(shape.Count - 1)}.");
        return null;
    }

    private async Task<bool> MayControlAsync(HttpContext context)
    {
        if (!cube.CanControl)
        {
            await Problem.WriteAsync(
                context,
                StatusCodes.Status409Conflict,
                $"servers and cables of the shim {cube.Shim} are real; " +
                "they are controlled from here only with CamCube:AllowControl=true in this host's settings.");
        }

        return cube.CanControl;
    }

    private static string Value(HttpContext context, string name) => (string?)context.GetRouteValue(name) ?? "";

    private async Task ExplainAsync(HttpContext context, RequestDelegate next)
    {
        try
        {
            await next(context);
        }
        catch (HostNotReadyException e)
        {
            await Problem.WriteAsync(context, StatusCodes.Status503ServiceUnavailable, e.Message);
        }
        catch (OperationCanceledException) when (lifetime.ApplicationStopping.IsCancellationRequested)
        {
            await Problem.WriteAsync(
                context, StatusCodes.Status503ServiceUnavailable, new HostNotReadyException(health.Reasons()).Message);
        }
        catch (FrontEndStartException e)
        {
            await Problem.WriteAsync(
                context, StatusCodes.Status409Conflict, $"the server runs, but without its ports: {e.Message}");
        }
        catch (Exception e) when (!context.Response.HasStarted && !context.RequestAborted.IsCancellationRequested)
        {
            HostingLog.RequestFailed(logger, e, context.Request.Method, context.Request.Path);
            await Problem.WriteAsync(
                context,
                StatusCodes.Status500InternalServerError,
                $"{e.GetType().Name}: the host's log has the details.");
        }
    }
}

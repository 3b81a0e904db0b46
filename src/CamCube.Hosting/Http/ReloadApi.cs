using CamCube.Administration.Answers;
using CamCube.FrontEnds.Http;
using CamCube.Hosting.Control;
using CamCube.Hosting.Observing;
using CamCube.Hosting.Reloading;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;

namespace CamCube.Hosting.Http;

/// <summary>The path that reloads a service of the whole process (docs/http-api.md).</summary>
internal sealed class ReloadApi(ServiceReloader reloader, HostHealth health)
{
    /// <summary>The path, for people.</summary>
    public const string Paths = "POST /api/services/{service}/reload";

    /// <summary>Adds the path.</summary>
    /// <param name="app">The host.</param>
    /// <param name="control">Lets pass where servers and cables may be controlled.</param>
    public void Map(IEndpointRouteBuilder app, ControlFilter control) =>
        app.MapPost("/api/services/{service}/reload", ReloadAsync).AddEndpointFilter(control);

    private async Task ReloadAsync(HttpContext context)
    {
        if (!health.Runs)
        {
            throw new HostNotReadyException(health.Reasons());
        }

        string[] from = [.. context.Request.Query["from"].OfType<string>()];
        if (context.Request.Query.Keys.FirstOrDefault(key => key != "from") is { } unknown)
        {
            await context.RefuseAsync(
                StatusCodes.Status400BadRequest,
                $"{unknown} is no argument of reload; there is from."
            );
            return;
        }

        if (from.Length > 1)
        {
            await context.RefuseAsync(StatusCodes.Status400BadRequest, $"from is given {from.Length} times.");
            return;
        }

        try
        {
            // Who goes away meanwhile does not stop it half-way.
            ReloadAnswer answer = await reloader.ReloadAsync(
                (string)context.GetRouteValue("service")!,
                from.FirstOrDefault()
            );
            await context.AnswerAsync(answer, AdministrationJson.Answers.ReloadAnswer);
        }
        catch (ReloadRefusedException e)
        {
            await context.RefuseAsync(
                e.Refusal switch
                {
                    ReloadRefusal.NotFound => StatusCodes.Status404NotFound,
                    ReloadRefusal.Busy => StatusCodes.Status409Conflict,
                    _ => StatusCodes.Status400BadRequest,
                },
                e.Message
            );
        }
    }
}

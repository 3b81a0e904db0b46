using CamCube;
using CamCube.FrontEnds.Http;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Logging;

namespace TemplateSpace;

/// <summary>The service's commands for clients: <c>curl 'localhost:8510/ping?to=2,1,2'</c>. One per server, each on a
/// port of its own.</summary>
[FrontEnd("template-service-http", 8510)]
public sealed class TemplateClassFrontEnd(
    IServerGate gate,
    TemplateClassFrontEndOptions options,
    ILogger<TemplateClassFrontEnd> logger
) : HttpFrontEnd(gate, options, logger)
{
    /// <inheritdoc/>
    protected override void Map(IEndpointRouteBuilder routes) => routes.MapGet("/{command}", RunAsync);

    private async Task RunAsync(HttpContext context, string command)
    {
        (string, string)[] arguments = [.. context.Request.Query.Select(pair => (pair.Key, pair.Value.ToString()))];
        CommandCall call = CommandCall.Of("template-service", command, arguments) with { MayChange = false };
        CommandResult result = await Gate.RunCommandAsync(call, context.RequestAborted);
        if (!result.IsOk)
        {
            await context.RefuseAsync(StatusCodes.Status400BadRequest, result.Text);
            return;
        }

        context.Response.ContentType = result.ContentType;
        await context.Response.Body.WriteAsync(result.Body, context.RequestAborted);
    }
}

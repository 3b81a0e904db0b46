using CamCube.FrontEnds.Http;
using CamCube.Runtime.Cubes;
using Microsoft.AspNetCore.Http;

namespace CamCube.Hosting.Http;

/// <summary>For paths that change something: lets requests pass where servers and cables may be controlled, or answers
/// 409.</summary>
internal sealed class ControlFilter(ICube cube) : IEndpointFilter
{
    /// <summary>Why they may not, for people.</summary>
    public static string Refusal(ICube cube) =>
        $"servers and cables of the shim {cube.Shim} are real; "
        + "they are controlled from here only with CamCube:AllowControl=true in this host's settings.";

    /// <inheritdoc/>
    public async ValueTask<object?> InvokeAsync(EndpointFilterInvocationContext context, EndpointFilterDelegate next)
    {
        if (cube.CanControl)
        {
            return await next(context);
        }

        await context.HttpContext.RefuseAsync(StatusCodes.Status409Conflict, Refusal(cube));
        return Results.Empty;
    }
}

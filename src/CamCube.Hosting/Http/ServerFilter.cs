using System.Globalization;
using CamCube.FrontEnds.Http;
using CamCube.Runtime.Cubes;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;

namespace CamCube.Hosting.Http;

/// <summary>For paths with {server}: finds the server that is meant, or answers 404.</summary>
internal sealed class ServerFilter(ICube cube) : IEndpointFilter
{
    private static readonly object RankItem = new();

    /// <summary>Rank of the server that the request is about; behind this filter.</summary>
    public static int RankOf(HttpContext context) => (int)context.Items[RankItem]!;

    /// <inheritdoc/>
    public async ValueTask<object?> InvokeAsync(EndpointFilterInvocationContext context, EndpointFilterDelegate next)
    {
        string text = (string?)context.HttpContext.GetRouteValue("server") ?? "";
        int rank = Find(text);
        if (rank >= 0 && cube.LocalRanks.Contains(rank))
        {
            context.HttpContext.Items[RankItem] = rank;
            return await next(context);
        }

        TorusShape shape = cube.Shape;
        await context.HttpContext.RefuseAsync(
            StatusCodes.Status404NotFound,
            rank >= 0
                ? $"server {shape.At(rank)} is not run by this process."
                : $"there is no server '{text}'; there are the ranks 0 to {shape.Count - 1}, "
                    + $"or 0,0,0 to {shape.At(shape.Count - 1)}."
        );
        return Results.Empty;
    }

    private int Find(string text)
    {
        if (text == "self" && cube.LocalRanks is [int own])
        {
            return own;
        }

        if (Coordinate.TryParse(text, out Coordinate coordinate) && cube.Shape.Contains(coordinate))
        {
            return cube.Shape.RankOf(coordinate);
        }

        return
            int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number)
            && number < cube.Shape.Count
            ? number
            : -1;
    }
}

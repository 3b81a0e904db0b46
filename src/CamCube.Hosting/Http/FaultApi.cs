using System.Globalization;
using CamCube.Administration.Answers;
using CamCube.FrontEnds.Http;
using CamCube.Hosting.Faults;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;

namespace CamCube.Hosting.Http;

/// <summary>The paths of fault rules (docs/http-api.md): rules on the links of this process, as its operator wants
/// them.</summary>
internal sealed class FaultApi(FaultDesk desk, FaultReader reader)
{
    /// <summary>The paths, for people.</summary>
    public const string Paths =
        "GET /api/faults, POST /api/faults/{kind}, DELETE /api/faults, DELETE /api/faults/{number}";

    /// <summary>Adds the paths.</summary>
    /// <param name="app">The host.</param>
    /// <param name="control">Lets pass where servers and cables may be controlled.</param>
    public void Map(IEndpointRouteBuilder app, ControlFilter control)
    {
        app.MapGet(
            "/api/faults",
            context => context.AnswerAsync(FaultReport.Of(desk), AdministrationJson.Answers.FaultsAnswer)
        );
        app.MapPost("/api/faults/{kind}", AddAsync).AddEndpointFilter(control);
        app.MapDelete("/api/faults", EndAllAsync).AddEndpointFilter(control);
        app.MapDelete("/api/faults/{id}", EndAsync).AddEndpointFilter(control);
    }

    private async Task AddAsync(HttpContext context)
    {
        FaultOrder order;
        try
        {
            order = reader.Read(
                (string)context.GetRouteValue("kind")!,
                context.Request.Query.ToDictionary(a => a.Key, a => a.Value.ToString())
            );
        }
        catch (FormatException e)
        {
            await context.RefuseAsync(StatusCodes.Status400BadRequest, e.Message);
            return;
        }

        await context.AnswerAsync(FaultReport.Of(desk.Add(order), order), AdministrationJson.Answers.FaultRuleAnswer);
    }

    private Task EndAllAsync(HttpContext context)
    {
        desk.EndAll();
        return context.AnswerAsync(FaultReport.Of(desk), AdministrationJson.Answers.FaultsAnswer);
    }

    private async Task EndAsync(HttpContext context)
    {
        string text = (string)context.GetRouteValue("id")!;
        if (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int id) && desk.End(id))
        {
            await context.AnswerAsync(FaultReport.Of(desk), AdministrationJson.Answers.FaultsAnswer);
        }
        else
        {
            await context.RefuseAsync(StatusCodes.Status404NotFound, $"there is no fault rule '{text}' in force.");
        }
    }
}

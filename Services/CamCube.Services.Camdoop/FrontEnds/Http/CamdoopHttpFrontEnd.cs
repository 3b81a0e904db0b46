using CamCube.FrontEnds.Http;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Logging;

namespace CamCube.Services.Camdoop.FrontEnds.Http;

/// <summary>
/// MapReduce to look at: a page at <c>/camdoop</c>, and what it shows as JSON, <c>GET|HEAD /camdoop/jobs</c> and
/// <c>/camdoop/jobs/{job}</c>, as docs/camdoop.md describes it. Nothing can be changed here, and nothing is said of
/// what programs a job starts or what they said. Handlers run on pool threads, and ask the service through the gate:
/// once in a while for all who ask, so it does not matter to the service how many look on.
/// </summary>
/// <param name="gate">The server.</param>
/// <param name="options">Settings.</param>
/// <param name="logger">Is told what goes wrong.</param>
/// <param name="time">How old an answer is.</param>
[FrontEnd("camdoop", 8600)]
public sealed class CamdoopHttpFrontEnd(
    IServerGate gate,
    CamdoopHttpOptions options,
    ILogger<CamdoopHttpFrontEnd> logger,
    TimeProvider time
) : HttpFrontEnd(gate, options, logger, time)
{
    private const string Allowed = "GET, HEAD";
    private static readonly TimeSpan ListAge = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan JobAge = TimeSpan.FromMilliseconds(500);
    private readonly KeptAnswers _list = new(time, ListAge);
    private readonly KeptAnswers _jobs = new(time, JobAge);

    /// <inheritdoc/>
    protected override void Map(IEndpointRouteBuilder routes)
    {
        routes.Map("/", ReadOnly(CamdoopPage.Page.SendAsync));
        routes.Map("/camdoop", ReadOnly(CamdoopPage.Page.SendAsync));
        routes.Map("/favicon.ico", ReadOnly(SendNoIcon));
        routes.Map("/camdoop/jobs", ReadOnly(SendListAsync));
        routes.Map("/camdoop/jobs/{job}", ReadOnly(SendJobAsync));
    }

    private Task SendListAsync(HttpContext context) => SendAsync(context, _list, "", _ => ListAsync());

    private Task SendJobAsync(HttpContext context) =>
        SendAsync(context, _jobs, (string)context.Request.RouteValues["job"]!, FindAsync);

    private static RequestDelegate ReadOnly(RequestDelegate send) =>
        context =>
        {
            if (HttpMethods.IsGet(context.Request.Method) || HttpMethods.IsHead(context.Request.Method))
            {
                return send(context);
            }

            context.Response.Headers.Allow = Allowed;
            return context.RefuseAsync(StatusCodes.Status405MethodNotAllowed, $"there are {Allowed} here.");
        };

    // A 404 would be in the log of every browser, and asked for again with every page.
    private static Task SendNoIcon(HttpContext context)
    {
        context.Response.StatusCode = StatusCodes.Status204NoContent;
        context.Response.Headers.CacheControl = "public, max-age=86400";
        return Task.CompletedTask;
    }

    private static async Task SendAsync(
        HttpContext context,
        KeptAnswers kept,
        string of,
        Func<string, Task<FeedAnswer>> ask
    )
    {
        FeedAnswer answer = await kept.GetAsync(of, ask);
        if (answer.Json is not { } json)
        {
            await context.RefuseAsync(answer.Status, answer.Words);
            return;
        }

        HttpResponse response = context.Response;
        response.ContentType = "application/json";
        response.ContentLength = json.Length;
        response.Headers.CacheControl = "no-store";
        if (!HttpMethods.IsHead(context.Request.Method))
        {
            await response.Body.WriteAsync(json, context.RequestAborted);
        }
    }

    private async Task<FeedAnswer> ListAsync()
    {
        JobListAnswer answer = await Gate.CallAsync<ICamdoop, int, JobListAnswer>(static (s, _) => s.ListAsync(), 0);
        return answer.Status == JobStatus.Done
            ? FeedAnswer.Of(FeedJson.BytesOf(new JobsFeed($"{Gate.Shape}", answer.Jobs)))
            : FeedAnswer.Refused(answer.Status, null);
    }

    private async Task<FeedAnswer> FindAsync(string job)
    {
        JobAnswer found = await Gate.CallAsync<ICamdoop, string, JobAnswer>(static (s, j) => s.FindAsync(j), job);
        if (found is not { Status: JobStatus.Done, State: { } state })
        {
            return FeedAnswer.Refused(found.Status, found.Words);
        }

        JobReportAnswer said = await Gate.CallAsync<ICamdoop, string, JobReportAnswer>(
            static (s, j) => s.ReportAsync(j),
            job
        );

        // What programs say is for who may control the cube.
        state = state with
        {
            Failures = [.. state.Failures.Select(static failure => failure with { ErrorText = "" })],
        };
        return FeedAnswer.Of(FeedJson.BytesOf(new JobFeed($"{Gate.Shape}", state, said.Report)));
    }
}

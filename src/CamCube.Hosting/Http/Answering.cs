using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using CamCube.Administration.Answers;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;

namespace CamCube.Hosting.Http;

/// <summary>Writes answers and refusals. Any thread.</summary>
internal static class Answering
{
    /// <summary>Answers a request with JSON.</summary>
    public static Task AnswerAsync<T>(this HttpContext context, T answer, JsonTypeInfo<T> type)
    {
        context.SetHeaders();
        return context.Response.WriteAsJsonAsync(answer, type, cancellationToken: context.RequestAborted);
    }

    /// <summary>Refuses a request: problem details (RFC 9457).</summary>
    public static Task RefuseAsync(this HttpContext context, int status, string detail)
    {
        context.Response.StatusCode = status;
        return context.Response.WriteAsJsonAsync(
            new ProblemAnswer("about:blank", ReasonPhrases.GetReasonPhrase(status), status, detail),
            AdministrationJson.Answers.ProblemAnswer,
            "application/problem+json",
            context.RequestAborted
        );
    }

    /// <summary>Headers of every answer.</summary>
    public static void SetHeaders(this HttpContext context)
    {
        context.Response.Headers.CacheControl = "no-store";
        context.Response.Headers.XContentTypeOptions = "nosniff";
    }
}

using System.Text.Json.Serialization.Metadata;
using Microsoft.AspNetCore.Http;

namespace CamCube.Hosting.Http;

/// <summary>Writes answers. Any thread.</summary>
internal static class Answering
{
    /// <summary>Answers a request with JSON.</summary>
    public static Task AnswerAsync<T>(this HttpContext context, T answer, JsonTypeInfo<T> type)
    {
        context.SetHeaders();
        return context.Response.WriteAsJsonAsync(answer, type, cancellationToken: context.RequestAborted);
    }

    /// <summary>Headers of every answer.</summary>
    public static void SetHeaders(this HttpContext context)
    {
        context.Response.Headers.CacheControl = "no-store";
        context.Response.Headers.XContentTypeOptions = "nosniff";
    }
}

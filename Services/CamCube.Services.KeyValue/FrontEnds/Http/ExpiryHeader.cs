using System.Globalization;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace CamCube.Services.KeyValue.FrontEnds.Http;

/// <summary>How long a key is there as a header, in seconds. Any thread.</summary>
internal static class ExpiryHeader
{
    private const string Name = "CamCube-Expires";

    /// <summary>Reads it.</summary>
    /// <param name="headers">The headers of a request.</param>
    /// <param name="expires">How long; null: until it is deleted.</param>
    /// <returns>What is wrong with it; null: nothing.</returns>
    public static string? Read(IHeaderDictionary headers, out TimeSpan? expires)
    {
        expires = null;
        StringValues given = headers[Name];
        if (given.Count == 0)
        {
            return null;
        }

        uint seconds = 0;
        bool isRead =
            given is [{ } text]
            && uint.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out seconds)
            && seconds > 0;
        expires = TimeSpan.FromSeconds(seconds);
        return isRead ? null : $"{Name} is a number of seconds, 1 to {uint.MaxValue}.";
    }

    /// <summary>Sets it.</summary>
    public static void Write(HttpResponse response, in KeyValueAnswer answer)
    {
        if (answer.Expires is { } rest)
        {
            response.Headers[Name] = rest.TotalSeconds.ToString("F0", CultureInfo.InvariantCulture);
        }
    }
}

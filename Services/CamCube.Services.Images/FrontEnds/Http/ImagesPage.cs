using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Http;

namespace CamCube.Services.Images.FrontEnds.Http;

/// <summary>The page at <c>/</c>: one file in this assembly, with its style and its script in it. Nothing else may run
/// in it, by the policy that it is sent with. Any thread.</summary>
internal static partial class ImagesPage
{
    private static readonly byte[] Page = Read();
    private static readonly string Policy = PolicyOf(Encoding.UTF8.GetString(Page));

    /// <summary>Sends it.</summary>
    public static async Task SendAsync(HttpContext context)
    {
        HttpResponse response = context.Response;
        response.ContentType = "text/html; charset=utf-8";
        response.ContentLength = Page.Length;
        response.Headers.ContentSecurityPolicy = Policy;
        response.Headers.CacheControl = "no-cache";
        response.Headers["Referrer-Policy"] = "no-referrer";
        if (!HttpMethods.IsHead(context.Request.Method))
        {
            await response.Body.WriteAsync(Page, context.RequestAborted);
        }
    }

    private static byte[] Read()
    {
        using Stream stream = typeof(ImagesPage).Assembly.GetManifestResourceStream("page.html")!;
        using MemoryStream bytes = new();
        stream.CopyTo(bytes);
        return bytes.ToArray();
    }

    private static string PolicyOf(string page) =>
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'; "
        + $"img-src 'self' blob: data:; style-src {HashOf(page, StylePart())}; script-src {HashOf(page, ScriptPart())}";

    private static string HashOf(string page, Regex part)
    {
        byte[] text = Encoding.UTF8.GetBytes(part.Match(page).Groups[1].Value);
        return $"'sha256-{Convert.ToBase64String(SHA256.HashData(text))}'";
    }

    [GeneratedRegex("<style>(.*)</style>", RegexOptions.Singleline)]
    private static partial Regex StylePart();

    [GeneratedRegex("<script>(.*)</script>", RegexOptions.Singleline)]
    private static partial Regex ScriptPart();
}

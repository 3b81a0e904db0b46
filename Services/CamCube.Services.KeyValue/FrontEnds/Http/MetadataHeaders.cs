using CamCube.Services.KeyValue.Metadata;
using Microsoft.AspNetCore.Http;

namespace CamCube.Services.KeyValue.FrontEnds.Http;

/// <summary>What is kept beside a value as headers: Content-Type and <c>X-Meta-*</c>. Any thread.</summary>
internal static class MetadataHeaders
{
    /// <summary>What a value is of which nobody said it.</summary>
    public const string NoType = "application/octet-stream";

    private const string Prefix = "X-Meta-";

    /// <summary>Reads the headers of a request.</summary>
    /// <param name="request">The request.</param>
    /// <param name="bytes">As it is kept.</param>
    /// <param name="status">The status of a refusal.</param>
    /// <returns>What is wrong with them; null: nothing.</returns>
    public static string? Read(HttpRequest request, out byte[] bytes, out int status)
    {
        (bytes, status) = ([], StatusCodes.Status400BadRequest);
        List<MetadataField> fields = [];
        string? contentType = request.ContentType;
        foreach ((string name, var values) in request.Headers)
        {
            if (name.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase) && name.Length > Prefix.Length)
            {
                fields.AddRange(
                    values.Select(value => new MetadataField(name[Prefix.Length..].ToLowerInvariant(), value ?? ""))
                );
            }
        }

        if (fields.FirstOrDefault(field => !ValueMetadata.CanKeep(field.Value)) is { Name: { } odd })
        {
            return $"{Prefix}{odd} has other characters than visible ASCII and spaces.";
        }

        if (contentType is not null && !ValueMetadata.CanKeep(contentType))
        {
            return "Content-Type has other characters than visible ASCII and spaces.";
        }

        bytes = new ValueMetadata(contentType, fields).ToBytes();
        status = StatusCodes.Status431RequestHeaderFieldsTooLarge;
        return bytes.Length > ValueMetadata.MostBytes
            ? $"Content-Type and {Prefix}* take {bytes.Length:N0} bytes; {ValueMetadata.MostBytes:N0} can be kept."
            : null;
    }

    /// <summary>Sets the headers of an answer, but for the content type.</summary>
    /// <returns>The content type.</returns>
    public static string Write(HttpResponse response, ReadOnlySpan<byte> kept)
    {
        ValueMetadata metadata = ValueMetadata.Read(kept);
        foreach (MetadataField field in metadata.Fields.Where(field => IsName(field.Name)))
        {
            response.Headers.Append(Prefix + field.Name, field.Value);
        }

        return metadata.ContentType ?? NoType;
    }

    // Not all that reads as format 1 was written by this front end.
    private static bool IsName(string name) => name.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.');
}

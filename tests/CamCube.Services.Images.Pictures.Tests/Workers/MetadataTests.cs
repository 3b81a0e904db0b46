using System.ComponentModel;
using System.Diagnostics;
using System.Text.Json;
using CamCube.Services.Images.Pictures.Wire;

namespace CamCube.Services.Images.Pictures.Tests.Workers;

/// <summary>What exiftool, which others wrote, finds in variants. Skipped where it is not there; with
/// CAMCUBE_REQUIRE_ALL=1 that is a failure.</summary>
public sealed class MetadataTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-variants-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task A_variant_says_nothing_but_its_size()
    {
        using WorkerKit kit = new();
        byte[] jpeg = PictureBuilder.With(
            await kit.EncodedAsync(300, 200, isWebP: false),
            PictureBuilder.Segment(0xE1, PictureBuilder.Exif(6)),
            PictureBuilder.Segment(
                0xE1,
                [
                    .. "http://ns.adobe.com/xap/1.0/\0"u8,
                    .. "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='"u8,
                    .. "http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "u8,
                    .. "xmlns:dc='http://purl.org/dc/elements/1.1/' dc:source='home'/></rdf:RDF></x:xmpmeta>"u8,
                ]
            ),
            PictureBuilder.Segment(0xFE, [.. "taken at home"u8])
        );
        byte[] png = PictureBuilder.Png(
            300,
            200,
            true,
            PictureBuilder.Chunk("tEXt", [.. "Author\0somebody"u8]),
            PictureBuilder.Chunk("eXIf", PictureBuilder.Exif(6)[6..])
        );

        // That it would find them: else this test could not fail.
        Assert.Superset(new HashSet<string> { "EXIF", "XMP" }, await GroupsAsync("a.jpg", jpeg));
        Assert.Superset(new HashSet<string> { "EXIF", "PNG" }, await GroupsAsync("a.png", png));
        foreach ((byte[] picture, string name) in new[] { (jpeg, "v.jpg"), (png, "v.webp") })
        {
            PictureResult result = await kit.MakeAsync(picture, new VariantSpec(60, 60));
            Assert.Equal(PictureStatus.Done, result.Status);

            // JFIF and RIFF are the formats' own headers; Composite is calculated.
            HashSet<string> groups = await GroupsAsync(name, result.Variants[0].Bytes.ToArray());
            Assert.Empty(groups.Except(["ExifTool", "File", "JFIF", "RIFF", "Composite"]));
        }
    }

    private async Task<HashSet<string>> GroupsAsync(string name, byte[] picture)
    {
        string file = Path.Combine(_folder.FullName, name);
        await File.WriteAllBytesAsync(file, picture, TestContext.Current.CancellationToken);
        var start = new ProcessStartInfo("exiftool", ["-json", "-G", "-a", file]) { RedirectStandardOutput = true };
        Process tool;
        try
        {
            tool = Process.Start(start)!;
        }
        catch (Win32Exception)
        {
            Assert.False(
                Environment.GetEnvironmentVariable("CAMCUBE_REQUIRE_ALL") == "1",
                "CAMCUBE_REQUIRE_ALL=1, but exiftool is not there."
            );
            Assert.Skip("exiftool is not there; tools/install-test-dependencies installs it.");
            throw;
        }

        using (tool)
        {
            string json = await tool.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
            await tool.WaitForExitAsync(TestContext.Current.CancellationToken);
            Assert.Equal(0, tool.ExitCode);
            using JsonDocument all = JsonDocument.Parse(json);
            string[] names = [.. all.RootElement[0].EnumerateObject().Select(static one => one.Name)];
            return [.. names.Where(static one => one != "SourceFile").Select(static one => one.Split(':')[0])];
        }
    }
}

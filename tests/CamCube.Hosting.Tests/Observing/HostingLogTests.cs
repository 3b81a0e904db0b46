using System.Reflection;
using CamCube.Hosting.Observing;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Tests.Observing;

public sealed class HostingLogTests
{
    [Fact]
    public void Event_ids_are_unique_and_in_the_range_of_the_project()
    {
        int[] ids =
        [
            .. typeof(HostingLog)
                .GetMethods(BindingFlags.Public | BindingFlags.Static)
                .Select(method => method.GetCustomAttribute<LoggerMessageAttribute>())
                .OfType<LoggerMessageAttribute>()
                .Select(attribute => attribute.EventId),
        ];

        Assert.NotEmpty(ids);
        Assert.Equal(ids.Distinct(), ids);
        Assert.All(ids, id => Assert.InRange(id, 2_000, 2_099));
    }
}

using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddCamCubeCache(options => options.Servers = ["10.0.0.1:11211", "10.0.0.2:11211"]);
var app = builder.Build();
var kept = new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromMinutes(5) };
app.MapGet("/quotes/{name}", (string name, IDistributedCache cache) => cache.GetStringAsync(name));
app.MapPut("/quotes/{name}", (string name, string text, IDistributedCache all) => all.SetStringAsync(name, text, kept));
app.Run();
